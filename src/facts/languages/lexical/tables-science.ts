import type { Knowledge } from './vocabulary.ts'
import { acting, NONE, words } from './vocabulary.ts'

/** R and Julia. */

export const R: Knowledge = {
  title: 'R',
  shape: { names: /[A-Za-z.][\w.]*(?::{2,3}[A-Za-z.][\w.]*)?/y, comments: ['#'], quotes: `"'`, backtick: 'name' },
  harmless: words(
    'if else for while repeat in next break function TRUE FALSE NULL NA NA_integer_ NA_real_ NA_character_ Inf NaN T F ' +
      'return invisible stop warning message tryCatch try stopifnot missing switch',
    'library require requireNamespace loadNamespace suppressWarnings suppressMessages suppressPackageStartupMessages set.seed options',
    'print cat format sprintf paste paste0 toString formatC prettyNum noquote message nchar substr substring strsplit gsub ' +
      'sub grepl grep regmatches regexpr gregexpr toupper tolower trimws rev startsWith endsWith chartr sprintf strtoi',
    'c list vector character numeric integer logical double complex factor levels as.factor as.numeric as.integer ' +
      'as.character as.logical as.double as.Date as.data.frame as.matrix as.list as.vector unlist is.na is.null is.numeric ' +
      'is.character is.function is.data.frame length dim nrow ncol names colnames rownames seq seq_len seq_along rep sort ' +
      'order rank unique duplicated table which which.max which.min any all ifelse identical all.equal append head tail ' +
      'setdiff union intersect is.element cut findInterval split merge cbind rbind t array matrix data.frame tibble stack ' +
      'expand.grid outer crossprod diag solve det rownames setNames subset transform with within nlevels droplevels rowSums ' +
      'colSums rowMeans colMeans sweep scale',
    'sum mean median var sd min max range quantile cumsum cumprod cumsum prod abs sqrt exp log log2 log10 log1p round ' +
      'signif floor ceiling sin cos tan asin acos atan choose factorial gamma beta cor cov tabulate rnorm runif rbinom rpois ' +
      'rexp rgamma rt dnorm pnorm qnorm dbinom pbinom punif sample fivenum IQR mad weighted.mean scale diff is.finite is.nan ' +
      'bitwAnd',
    'lm glm aov anova t.test wilcox.test chisq.test shapiro.test cor.test var.test fisher.test ks.test predict residuals ' +
      'coef fitted confint vcov nls loess optim optimize uniroot integrate kmeans hclust dist prcomp summary str formula ' +
      'model.matrix poly AIC BIC logLik ts arima acf pacf TukeyHSD density ecdf spline approx smooth.spline',
    'apply lapply sapply vapply mapply tapply Map Filter Reduce aggregate by ave Vectorize rapply outer',
    'plot hist barplot boxplot lines points abline legend par layout text axis pie curve pairs dev.off title grid polygon ' +
      'colors rainbow rgb heatmap image contour',
    'Sys.time Sys.Date date difftime as.POSIXct as.POSIXlt strftime strptime months weekdays proc.time system.time ' +
      'Sys.sleep nargs interactive R.version R.version.string R.Version version sessionInfo packageVersion getRversion ' +
      'Sys.info .packages installed.packages .libPaths R.home Sys.getlocale class typeof mode object.size exists nlevels args ' +
      'formals ls rm gc mtcars iris letters LETTERS month.name pi ToothGrowth airquality data quit q file.exists file.info ' +
      'file.size dir.exists list.files dir basename dirname file.path normalizePath path.expand getwd tempfile tempdir ' +
      'nlevels vignette citation methods Negate identity max.col',
    'group_by summarise summarize mutate filter select arrange rename distinct count pull slice bind_rows bind_cols ' +
      'left_join right_join inner_join full_join anti_join ungroup across everything starts_with ends_with contains n ' +
      'n_distinct case_when if_else lag lead tally top_n slice_head slice_tail glimpse pivot_longer pivot_wider gather spread ' +
      'separate unite drop_na replace_na as_tibble desc row_number nest unnest',
    'ggplot aes geom_point geom_line geom_bar geom_col geom_histogram geom_boxplot geom_smooth labs theme theme_minimal ' +
      'theme_bw facet_wrap facet_grid ggtitle xlab ylab scale_x_continuous scale_y_continuous coord_flip',
    'str_detect str_replace str_replace_all str_split str_sub str_trim str_to_upper str_to_lower str_length str_c ' +
      'str_extract toJSON fromJSON is.environment map map_dbl map_chr map_int map_lgl map_df keep discard reduce ymd mdy dmy ' +
      'as.data.table data.table setDT setkey melt dcast expect_equal expect_true expect_false expect_error test_that context ' +
      'test_dir test_file test check document load_all lint lint_package lint_dir style_pkg style_dir restore snapshot status',
  ),
  acts: new Map([
    ...acting('shell', 'system shell shell.exec pipe'),
    ...acting('command', 'system2'),
    ...acting(
      'read',
      'read.csv read.csv2 read.table read.delim readLines readRDS scan readline read_csv read_tsv read_excel fread load ' +
        'read.dta readBin readChar read_json read_parquet read_rds read_lines read_file',
      { keys: ['file', 'con', 'path'] },
    ),
    ...acting('write', 'saveRDS write.csv write.table writeLines write_csv fwrite write_json', { at: 1, keys: ['file', 'con', 'path'] }),
    ...acting('write', 'sink png pdf jpeg svg tiff dir.create file.create ggsave save.image', { keys: ['file', 'filename', 'path'] }),
    ...acting('delete', 'file.remove'),
    ...acting('delete', 'unlink', { tree: true }),
    ...acting('move', 'file.rename'),
    ...acting('fetch', 'download.file url GET curl_download curl_fetch_memory getURL', { keys: ['url'] }),
    ...acting('send', 'POST PUT PATCH DELETE', { keys: ['url'] }),
    ...acting('package', 'install.packages install_github pkg_install', { keys: ['pkgs', 'repos'] }),
    ...acting('environment', 'Sys.getenv'),
    ...acting(
      'opaque',
      'eval evalq parse source sys.source do.call match.fun get mget get0 assign call as.call as.name as.symbol str2lang ' +
        'str2expression body environment getAnywhere getFromNamespace asNamespace baseenv globalenv .GlobalEnv .Call .External ' +
        '.C .Fortran .Internal .Primitive dyn.load Recall reg.finalizer on.exit Sys.setenv setwd file.copy file.append ' +
        'file.symlink file.link Sys.chmod socketConnection serverSocket file fifo gzfile open dbExecute dbSendQuery ' +
        'dbRemoveTable dbGetQuery processx run proc_open Sys.kill pskill makeCluster import py_run_string sourceCpp cppFunction ' +
        'rlang invoke exec attach fix edit browser trace delayedAssign makeActiveBinding setHook addTaskCallback options_set ' +
        'render Rscript callr r_bg install remove.packages update.packages',
    ),
  ]),
  higher: words(
    'apply lapply sapply vapply mapply tapply Map Filter Reduce aggregate by ave Vectorize rapply outer map map_dbl map_chr ' +
      'map_int map_lgl map_df keep discard reduce optim optimize uniroot integrate sweep across Negate tryCatch curve',
  ),
  builders: words(
    'paste paste0 sprintf rev chartr strtoi gsub sub substr substring toupper tolower trimws regmatches format toString ' +
      'formatC readLines readline scan readRDS fromJSON read.csv read.table Sys.getenv commandArgs load fread str_c ' +
      'str_replace str_replace_all str_sub list.files strsplit',
  ),
  assigns: ['<-', '<<-', '='],
  lambda: true,
  members: ['$', '@'],
  namespace: /^[A-Za-z.][\w.]{0,60}:{2,3}/,
}

export const JULIA: Knowledge = {
  title: 'Julia',
  shape: {
    names: /@?[A-Za-z_]\w*(?:!(?!=))?(?:\.@?[A-Za-z_]\w*(?:!(?!=))?)*/y,
    comments: ['#'],
    block: ['#=', '=#'],
    quotes: '"',
    transpose: true,
    inside: '$(',
    backtick: 'command',
  },
  harmless: words(
    'if else elseif end for while in begin let do function return break continue try catch finally using import true false ' +
      'nothing missing const local global where struct mutable isa',
    'println print show display string repr @show @time @elapsed @assert @printf @sprintf @info @warn @test @testset @btime @benchmark @doc dump summary',
    'sum prod mean median std var minimum maximum extrema length size ndims eltype axes sqrt cbrt exp log log2 log10 log1p ' +
      'abs abs2 sign round floor ceil trunc div rem mod fld gcd lcm sin cos tan asin acos atan sinh cosh tanh hypot pi ' +
      'factorial binomial min max clamp isnan isinf iseven isodd rand randn zeros ones fill trues falses collect range ' +
      'LinRange reshape vcat hcat cat push! append! pop! popfirst! pushfirst! insert! deleteat! sort sort! sortperm unique ' +
      'reverse findall findfirst findlast filter map mapreduce reduce foldl foldr accumulate cumsum cumprod any all count zip ' +
      'enumerate keys values pairs haskey first last join split replace uppercase lowercase strip startswith endswith ' +
      'occursin match eachmatch contains parse tryparse lpad rpad chomp titlecase isempty in similar copy deepcopy convert ' +
      'typeof isa Dict Set Vector Matrix Array Tuple NamedTuple Int Int32 Int64 UInt8 Float32 Float64 Bool String Char ' +
      'Complex Rational Any Number Real Integer AbstractString Symbol_ Nothing Missing BigInt BigFloat rationalize numerator ' +
      'denominator digits bitstring hex2bytes_ norm dot cross det inv transpose adjoint tr rank eigvals eigvecs eigen svd qr ' +
      'lu cholesky diag Diagonal I foreach map! sum! fill! dropdims selectdim permutedims circshift only eachindex eachrow ' +
      'eachcol eachline_ skipmissing coalesce something identity inf Inf NaN im e ℯ versioninfo VERSION nthreads ' +
      'Threads.nthreads Sys.CPU_THREADS Sys.ARCH Sys.KERNEL Sys.MACHINE Sys.islinux Sys.isapple Sys.iswindows ' +
      'Base.Threads.nthreads time now today Date DateTime year month day pwd isfile isdir ispath filesize readdir joinpath ' +
      'basename dirname splitext splitpath abspath homedir methods fieldnames exit error throw ErrorException ArgumentError ' +
      'rethrow sleep r raw b v',
    'Statistics LinearAlgebra Printf Random Dates Test InteractiveUtils DataFrames CSV BenchmarkTools Plots SparseArrays ' +
      'Distributions StatsBase DelimitedFiles Random.seed! DataFrame describe nrow ncol names groupby combine innerjoin ' +
      'leftjoin plot scatter histogram Normal fit pdf cdf Pkg Pkg.test Pkg.status Pkg.precompile Pkg.instantiate Pkg.activate ' +
      'Pkg.project',
    'run success pipeline detach ignorestatus',
  ),
  acts: new Map([
    ...acting('read', 'read readlines eachline readline readdlm CSV.read CSV.File include_dependency'),
    ...acting('write', 'write mkdir mkpath touch savefig CSV.write writedlm'),
    ...acting('delete', 'rm', { tree: true }),
    ...acting('move', 'mv'),
    ...acting('fetch', 'download Downloads.download HTTP.get'),
    ...acting('send', 'HTTP.post HTTP.put HTTP.patch HTTP.delete', { at: 0 }),
    ...acting('package', 'Pkg.add Pkg.develop Pkg.update'),
    ...acting('command', 'Cmd'),
    ...acting(
      'opaque',
      'eval @eval include include_string Meta.parse Core.eval Base.eval getfield getproperty invokelatest Base.invokelatest ' +
        'ccall @ccall unsafe_load unsafe_string cp chmod chown symlink hardlink open cd ENV Symbol Expr connect listen ' +
        'Sockets.connect dlopen Libdl.dlopen remotecall addprocs @async @spawn kill readchomp redirect_stdout atexit setenv ' +
        'addenv withenv cmd_gen JSON.parsefile Serialization.deserialize deserialize',
    ),
  ]),
  higher: NONE,
  builders: NONE,
  assigns: ['='],
  strict: true,
  fields: true,
  equations: true,
  namespace: /^(?:Base|Core|Main)\.(?=[a-z@])/,
}
