import type { Knowledge } from './vocabulary.ts'
import { acting, NONE, words } from './vocabulary.ts'

/** Elixir and Erlang, Tcl, Octave, Lisps, Haskell, the languages of the JVM, Swift and Raku: what one-liners ask for. */

const BASE = { higher: NONE, builders: NONE, strict: true } as const

export const ELIXIR: Knowledge = {
  ...BASE,
  title: 'Elixir',
  shape: { names: /:?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*[!?]?/y, comments: ['#'], quotes: `"'`, inside: '#{', sigils: true },
  harmless: words(
    'if else unless do end fn for in case cond when and or not true false nil with into is_nil is_integer is_binary is_list ' +
      'is_map is_atom length hd tl elem map_size tuple_size abs div rem round trunc max min inspect to_string raise try ' +
      'rescue after byte_size _',
    'IO.puts IO.inspect IO.write System.version System.otp_release System.schedulers_online System.monotonic_time ' +
      'System.system_time System.build_info :erlang.system_info :math.sqrt :math.pow :math.pi :math.log :timer.tc ' +
      ':timer.sleep Process.sleep System.halt',
    'Enum.map Enum.sum Enum.filter Enum.reduce Enum.each Enum.count Enum.sort Enum.sort_by Enum.max Enum.min Enum.join ' +
      'Enum.zip Enum.at Enum.uniq Enum.reverse Enum.take Enum.drop Enum.member? Enum.group_by Enum.frequencies ' +
      'Enum.chunk_every Enum.flat_map Enum.with_index Enum.any? Enum.all? Enum.find Enum.into Enum.concat Enum.product ' +
      'Enum.max_by Enum.min_by Enum.reject Enum.split Enum.random Enum.to_list Enum.map_join',
    'String.upcase String.downcase String.length String.split String.trim String.replace String.reverse String.capitalize ' +
      'String.contains? String.starts_with? String.ends_with? String.to_integer String.slice String.duplicate ' +
      'String.pad_leading String.graphemes String.at String.first String.last',
    'Map.get Map.put Map.keys Map.values Map.new Map.merge Map.delete Map.has_key? Map.to_list Keyword.get Keyword.keys ' +
      'List.first List.last List.flatten List.wrap Integer.parse Integer.to_string Integer.digits Integer.pow Float.round ' +
      'Float.parse Date.utc_today DateTime.utc_now NaiveDateTime.utc_now Time.utc_now Date.to_string DateTime.to_iso8601 ' +
      'Base.encode64 Base.decode64! Base.encode16 Regex.match? Regex.run Regex.scan Regex.replace Tuple.to_list MapSet.new ' +
      'Range.new Stream.map Stream.take Stream.iterate Stream.cycle Path.join Path.basename Path.dirname Application.spec ' +
      'Jason.encode! Jason.decode! URI.parse Mix.env',
  ),
  acts: new Map([
    ...acting('shell', ':os.cmd System.shell'),
    ...acting('command', 'System.cmd'),
    ...acting('read', 'File.read File.read! File.stream! File.ls File.ls! File.exists? File.stat'),
    ...acting('write', 'File.write File.write! File.touch File.touch! File.mkdir File.mkdir! File.mkdir_p File.mkdir_p!'),
    ...acting('delete', 'File.rm File.rm! File.rmdir File.rmdir!'),
    ...acting('delete', 'File.rm_rf File.rm_rf!', { tree: true }),
    ...acting('move', 'File.rename File.rename!'),
    ...acting('environment', 'System.get_env System.fetch_env!'),
    ...acting('package', 'Mix.install'),
    ...acting(
      'opaque',
      'apply Code.eval_string Code.eval_file Code.require_file Code.compile_string Port.open :erlang.open_port spawn ' +
        'String.to_atom String.to_existing_atom Module.concat',
    ),
  ]),
  assigns: ['=', '<-'],
  bare: true,
  keys: true,
  atoms: /^:[a-z_]\w*[!?]?$/,
}

export const ERLANG: Knowledge = {
  ...BASE,
  title: 'Erlang',
  shape: { names: /[A-Za-z_][\w@]*(?::[a-z]\w*)?/y, comments: ['%'], quotes: '"', raw: "'" },
  harmless: words(
    'true false ok undefined halt init:stop erlang:halt erlang:system_info erlang:display erlang:memory erlang:length ' +
      'io:format io:fwrite io:put_chars io:nl lists:sum lists:seq lists:map lists:filter lists:reverse lists:sort lists:max ' +
      'lists:min lists:nth lists:foreach lists:zip lists:usort lists:flatten math:sqrt math:pow math:pi length ' +
      'integer_to_list list_to_integer atom_to_list float_to_list maps:get maps:keys maps:from_list string:uppercase ' +
      'string:lowercase string:split string:join calendar:local_time erlang:timestamp otp_release version schedulers ' +
      'process_count fun end case of if when begin code:root_dir code:lib_dir application:get_key _',
  ),
  acts: new Map([
    ...acting('shell', 'os:cmd'),
    ...acting('read', 'file:read_file file:consult file:list_dir'),
    ...acting('write', 'file:write_file file:make_dir'),
    ...acting('delete', 'file:delete file:del_dir'),
    ...acting('delete', 'file:del_dir_r', { tree: true }),
    ...acting('move', 'file:rename'),
    ...acting('opaque', 'apply spawn erlang:apply open_port list_to_atom'),
  ]),
  assigns: ['='],
  colons: true,
}

export const TCL: Knowledge = {
  ...BASE,
  title: 'Tcl',
  shape: { names: /[A-Za-z_][\w:]*/y, comments: ['#'], quotes: '"', inside: '[' },
  harmless: words(
    'puts set incr expr foreach lindex llength list lappend append join split string format info patchlevel tclversion ' +
      'length range index toupper tolower trim first last clock seconds return break continue lsort lreverse lrange concat ' +
      'lsearch dict get create keys values nonewline stdout stderr abs sqrt pow int double round max min rand sin cos eq ne ' +
      'in ni global variable hostname nameofexecutable exit package require Tcl Tk regexp',
  ),
  acts: new Map([
    ...acting('statement', 'exec spawn'),
    ...acting(
      'opaque',
      'eval source open file socket load uplevel interp subst if while for proc catch switch send interact apply after namespace rename',
    ),
  ]),
  assigns: [],
  variables: true,
}

export const OCTAVE: Knowledge = {
  ...BASE,
  title: 'Octave',
  indexes: true,
  commands: /(?:^|[;\n,])[^\S\n]*!/,
  shape: { names: /[A-Za-z_]\w*/y, comments: ['%', '#'], quotes: '"', transpose: true },
  harmless: words(
    'if else elseif end endif for endfor while endwhile function endfunction switch case otherwise return break continue true false pi e Inf NaN eps i j ans',
    'disp display printf fprintf sprintf num2str mat2str str2num_ str2double int2str sum mean median std var min max abs ' +
      'sqrt exp log log2 log10 round floor ceil fix mod rem sin cos tan asin acos atan atan2 cumsum cumprod prod sort unique ' +
      'find any all isempty numel length size ndims zeros ones eye rand randn randi linspace logspace repmat reshape cat ' +
      'horzcat vertcat diag inv pinv det trace rank norm eig svd qr lu chol cross dot kron transpose isnan isinf numel ' +
      'columns rows strcmp strcmpi strrep strsplit strjoin strtrim upper lower regexprep regexp strcat num2cell cell struct ' +
      'fieldnames isfield isnumeric ischar iscell islogical polyfit polyval roots conv fft ifft interp1 trapz diff hist histc ' +
      'meshgrid factorial primes isprime gcd lcm nchoosek dec2bin bin2dec tic toc clock datestr now version ver ostype ' +
      'computer pwd exist plot figure xlabel ylabel title legend grid hold axis close pkg load isargout nargin nargout exit ' +
      'quit format long short single double int32 uint8 logical on off all',
  ),
  acts: new Map([
    ...acting('shell', 'system unix dos shell_cmd popen'),
    ...acting('read', 'csvread dlmread fileread readtable readmatrix imread load_'),
    ...acting('write', 'csvwrite mkdir', {}),
    ...acting('delete', 'delete unlink'),
    ...acting('delete', 'rmdir', { tree: true }),
    ...acting('move', 'rename movefile'),
    ...acting('fetch', 'urlread urlwrite webread websave'),
    ...acting('send', 'webwrite'),
    ...acting('opaque', 'eval evalin evalc feval cellfun arrayfun str2func run source exec fopen save print setenv getenv cd'),
  ]),
  assigns: ['='],
}

export const LISP: Knowledge = {
  ...BASE,
  title: 'Lisp',
  shape: { names: /[A-Za-z*+/<=>!?_%-][\w*+/<=>!?.%:-]*/y, comments: [';'], quotes: '"' },
  harmless: words(
    '+ - * / = < > <= >= mod rem quot inc dec abs max min sqrt expt print println prn pr princ prin1 display displayln ' +
      'newline write writeln format terpri str list vec vector cons car cdr first rest second last nth count length map mapv ' +
      'mapcar filter filterv reduce apply_ range into sort sort-by reverse concat append take drop keys vals get assoc dissoc ' +
      'conj hash-map zipmap frequencies group-by even? odd? zero? pos? neg? nil? empty? and or not if when cond let let* ' +
      'lambda fn defn define def defun defvar setq setf loop recur do dotimes dolist nil true false t else string-upcase ' +
      'string-downcase string-append string-length number->string string->number clojure-version version ' +
      'lisp-implementation-version lisp-implementation-type require clojure.string clojure.string/join ' +
      'clojure.string/upper-case clojure.string/split inexact->exact exact->inexact iota assert begin quote identity comp ' +
      'partial_ remove distinct rand rand-int repeat doseq for',
  ),
  acts: new Map([
    ...acting('opaque', 'eval load apply sh shell system run-program spit slurp delete-file load-file load-string read-string funcall'),
  ]),
  assigns: [],
}

export const HASKELL: Knowledge = {
  ...BASE,
  title: 'Haskell',
  shape: { names: /[A-Za-z_][\w']*(?:\.[A-Za-z_][\w']*)*/y, comments: ['--'], quotes: '"' },
  harmless: words(
    'map filter foldr foldl sum product length reverse take drop takeWhile dropWhile zip zipWith unzip head tail last init ' +
      'null elem notElem concat concatMap replicate iterate repeat cycle show read_ putStrLn print putStr mapM_ forM_ lines ' +
      'unlines words unwords maximum minimum and or not any all even odd div mod quot rem fromIntegral sqrt abs negate floor ' +
      'ceiling round truncate pi succ pred fst snd curry uncurry flip id const let in where if then else case of do True ' +
      'False Just Nothing Left Right Int Integer Double String Char Bool maybe either lookup splitAt span max min gcd lcm ' +
      'compare otherwise return pure fmap',
  ),
  commands: /^[ \t]*:/m,
  lambda: true,
  acts: new Map([...acting('opaque', 'callCommand readFile writeFile appendFile getLine interact')]),
  assigns: ['=', '<-'],
}

export const JVM: Knowledge = {
  ...BASE,
  title: 'JVM',
  shape: { names: /[A-Za-z_]\w*/y, comments: ['//'], block: ['/*', '*/'], quotes: `"'`, inside: '${' },
  harmless: words(
    'println print printf val var def let if else for in while true false null return fun it to until step range map filter ' +
      'sum size length count max min average sorted sort reversed reverse forEach each collect reduce fold take drop join ' +
      'joinToString mkString toList toSet toInt toDouble toString toUpperCase toLowerCase uppercase lowercase trim split ' +
      'replace contains startsWith endsWith isEmpty head tail zip groupBy distinct first last listOf mapOf setOf arrayOf List ' +
      'Map Set Seq Array Vector Int Long Double String Boolean Math sqrt pow abs floor ceil round PI System out ' +
      'currentTimeMillis nanoTime String format inject times findAll any every all exists GroovySystem getVersion ' +
      'KotlinVersion CURRENT util Properties versionNumberString scala indices',
  ),
  commands: /^[ \t]*(?::|\/[a-z])/m,
  acts: new Map([...acting('opaque', 'execute exec')]),
  assigns: ['='],
}

export const SWIFT: Knowledge = {
  ...BASE,
  title: 'Swift',
  shape: { names: /[A-Za-z_]\w*/y, comments: ['//'], block: ['/*', '*/'], quotes: '"', inside: '\\(' },
  harmless: words(
    'print let var if else for in while true false nil return func map filter reduce sorted reversed count sum max min abs ' +
      'Int Double String Bool Array joined uppercased lowercased split contains isEmpty first last append stride from to by ' +
      'through enumerated zip forEach',
  ),
  acts: new Map([...acting('opaque', 'Process')]),
  assigns: ['='],
}

export const RAKU: Knowledge = {
  ...BASE,
  title: 'Raku',
  shape: { names: /[A-Za-z_][\w-]*/y, comments: ['#'], quotes: '"', raw: "'", inside: '{' },
  harmless: words(
    'say print put note my our if else elsif for while map grep sum elems sort reverse join uc lc max min abs sqrt floor ' +
      'ceiling round is-prime True False Int Str Num Rat comb words lines chars push pop first head tail unique now time pick ' +
      'roll',
  ),
  acts: new Map([...acting('shell', 'shell'), ...acting('opaque', 'run EVAL qx EVALFILE require slurp spurt unlink rmdir')]),
  assigns: ['='],
  bare: true,
}
