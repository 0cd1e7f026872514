// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of shells and of make
/** Forms of shell, make, just, SQL, sed and jq: programs are made of them, an act in one place, which is always told. */
import fc from 'fast-check'

export interface ToolGrammar {
  readonly name: string
  /** What is looked for, one of them; and what stands where nothing is. */
  readonly acts: readonly string[]
  readonly plain: string
  /** Between two programs; null where one cannot follow another. */
  readonly between: string | null
  /** Forms around an act, `#` for it; each may stand in each. */
  readonly inner: readonly string[]
  /** Forms that such a text stands in. */
  readonly outer: readonly string[]
  /** The command that runs it, and the files that stand there. */
  readonly run: (program: string) => readonly [command: string, files: Readonly<Record<string, string>>]
}

const RM = 'rm -rf /srv/data'
const inFile =
  (command: string, path: string) =>
  (program: string): readonly [string, Readonly<Record<string, string>>] => [command, { [path]: program }]

export const TOOL_GRAMMARS: readonly ToolGrammar[] = [
  {
    name: 'shell',
    acts: [RM],
    plain: 'true',
    between: '\n',
    inner: [
      'echo "$(#)"',
      'echo `true` $(#)',
      'x=$(#)',
      'cat <(#)',
      ': ${x:-$(#)}',
      'echo $(( 1 + $(#) ))',
      'if true; then #; fi',
      'if #; then :; fi',
      'for i in a; do #; done',
      'for i in $(#); do :; done',
      'while #; do break; done',
      'case x in x) #;; esac',
      'case $(#) in *) ;; esac',
      '{ #; }',
      'true; ( # )',
      'f() { #; }; f',
      'true && #',
      'true | { #; }',
      'cat <<E\n$(#)\nE\n',
      'cat <<< "$(#)"',
      '[[ -n $(#) ]]',
      'a[$(#)]=1',
      'y=($(#))',
      'until #; do break; done',
      'coproc { #; }',
      'time { #; }',
      'select i in a; do #; break; done <<< 1',
    ],
    outer: ['#', 'true; #', '! #', '# &', 'set -e\n#', '# > x', 'x=1\n#\ntrue'],
    run: (program) => [program, {}],
  },
  {
    name: 'make',
    acts: [`$(shell ${RM})`, `\${shell ${RM}}`],
    plain: 'x',
    between: null,
    inner: [
      '$(strip #)',
      '$(if #,a,b)',
      '$(if a,#)',
      '$(or ,#)',
      '$(and a,#)',
      '$(foreach i,a,#)',
      '$(foreach i,#,$(i))',
      '$(subst a,b,#)',
      '$(patsubst %,a%,#)',
      '$(addprefix a,#)',
      '$(call F,#)',
      '$(info #)',
      '$(filter a,#)',
      '$(dir #)',
      '${sort #}',
      '$(eval V := #)',
      '$(V:a=#)',
      '$($(V)#)',
      'a#b',
    ],
    outer: [
      'X := #\nall:\n',
      'X = #\nall:\n\techo $(X)\n',
      'X = #\nY := $(X)\nall:\n',
      'X += #\nall:\n\t@echo $X\n',
      'all: #\n',
      'all: ; echo #\n',
      'all:\n\ttrue\n\t-@echo #\n',
      '#:\nall:\n',
      'all: Z := #\nall:\n\ttrue\n',
      'ifeq (#,a)\nendif\nall:\n',
      'ifdef NO\nX := a\nelse\nX := #\nendif\nall:\n',
      'define D\n#\nendef\nall:\n\t$(D)\n',
      'define D\n$(1): ; #\nendef\n$(eval $(call D,all))\n',
      '$(info #)\nall:\n',
      'include #\nall:\n',
      'export X := #\nall:\n',
      'export X = #\nall:\n\ttrue\n',
      'override X := #\nall:\n',
      '%.o: ; echo #\nall: a.o\n',
      '.ONESHELL:\nall:\n\ttrue\n\techo #\n',
    ],
    run: (program) => inFile('make', '/repo/Makefile')(`F = $(1)\nV = a\n${program}`),
  },
  {
    name: 'just',
    acts: [`\`${RM}\``, `shell('${RM}')`],
    plain: '"x"',
    between: null,
    inner: [
      '(#)',
      '# + "x"',
      '"x" + #',
      '"x" / #',
      'uppercase(#)',
      'replace("a", "b", #)',
      'if "a" == "a" { # } else { "" }',
      'if # == "" { "x" } else { "y" }',
      'if env("X") == "" { "x" } else if "a" != "" { # } else { "" }',
      'assert("a" == "a", #)',
      'env_var_or_default("X", #)',
      'join("a", (#))',
    ],
    outer: [
      'x := #\nall:\n  true\n',
      'export x := #\nall:\n  true\n',
      'x := #\nall:\n  echo {{x}}\n',
      'all:\n  echo {{ # }}\n',
      'all:\n  true\n  @-echo a{{ # }}b\n',
      'all x=(#):\n  echo {{x}}\n',
      'all: (b (#))\nb x:\n  echo {{x}}\n',
      'all: && b\n  true\nb:\n  echo {{ # }}\n',
      '[script("sh")]\nall:\n  echo {{ # }}\n',
      'all:\n  #!/bin/sh\n  echo {{ # }}\n'.replace('#!', '@@'),
      'set shell := ["sh", "-c"]\nall:\n  echo {{ # }}\n',
      'x := (\n  #\n)\nall:\n',
    ],
    run: (program) => inFile('just', '/repo/justfile')(program.replaceAll('@@', '#!')),
  },
  {
    name: 'sed',
    acts: [`e ${RM}\n`, `s/a/b/w /srv/data/x\n`],
    plain: 'p\n',
    between: '',
    inner: [
      '{#}',
      '1{#}',
      '/a/,/b/{#}',
      '$!{#}',
      '1!{\n#\n}',
      's/x/y/;{#}',
      ':a;#',
      'y/a/b/\n#',
      'a\\\ntext\n#',
      '/[/]/{#}',
      '\\,a,{#}',
      'b;#',
      '0~2{#}',
    ],
    outer: ['#', 'p;#', '# remark\n#'.replace('#', '@@'), 's/a\\/b/[&]/g\n#', 'i\\\nx\\\ny\n#', 'n;N;D;#'],
    run: (program) => inFile('sed -f x.sed f', '/repo/x.sed')(program.replaceAll('@@', '#')),
  },
]

export const SQL_GRAMMAR: Omit<ToolGrammar, 'run'> = {
  name: 'sql',
  acts: [
    'DELETE FROM t',
    'WITH x AS (DELETE FROM t RETURNING 1) SELECT 1',
    'PREPARE p AS DELETE FROM t',
    'EXPLAIN ANALYZE DELETE FROM t',
    "EXECUTE 'DELETE FROM t'",
  ],
  plain: 'SELECT 1',
  between: '; ',
  inner: [
    'BEGIN #; END',
    'IF 1 = 1 BEGIN #; END',
    'CREATE PROCEDURE p() BEGIN #; END',
    'CREATE PROCEDURE p AS #',
    'CREATE TRIGGER x AFTER INSERT ON a FOR EACH ROW #',
    'CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO #',
    'CREATE FUNCTION f() RETURNS void AS $%$ # $%$ LANGUAGE sql',
    'DO $%$ BEGIN #; END $%$',
    'DO $%$ BEGIN IF true THEN #; END IF; END $%$',
    'DO $%$ BEGIN FOR r IN SELECT 1 LOOP #; END LOOP; END $%$',
    'DO $%$ BEGIN NULL; EXCEPTION WHEN others THEN #; END $%$',
    '/*! # */',
    'SELECT 1; #',
    'SAVEPOINT a; #',
  ],
  outer: [
    '#',
    'SELECT 1; #',
    '-- x\n#',
    "SELECT 'a'';'; #",
    'SELECT $z$ ; $z$; #',
    '/* ; */ #',
    'SELECT "a;b"; #; SELECT 2',
    'BEGIN; #; COMMIT',
  ],
}

const DEPTH = 3

/** Programs of a grammar: some forms within each other, the act in the innermost, and perhaps another program before it. */
export function programsOf({ acts, plain, between, inner, outer }: Omit<ToolGrammar, 'run'>): fc.Arbitrary<string> {
  const fill = (form: string, value: string): string => form.replace(/#(?!!)/, () => value)
  const nested = fc
    .tuple(fc.array(fc.constantFrom(...inner), { maxLength: DEPTH }), fc.constantFrom(...acts))
    .map(([forms, act]) => forms.reduceRight((value, form, depth) => fill(form.replaceAll('%', `q${depth}`), value), act))
  const before = between === null ? fc.constant('') : fc.option(fc.constantFrom(...inner), { nil: '' })
  return fc.tuple(before, fc.constantFrom(...outer), nested).map(([other, form, value]) => {
    const first = other === '' ? '' : fill(other.replaceAll('%', 'q9'), plain) + (between ?? '')
    return fill(form, first + value)
  })
}
