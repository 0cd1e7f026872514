/** Constructs inside of each other, two kinds in turn, in every language that is followed: what is walked twice per level never ends. */
import type { Random } from './random.ts'

type Construct = readonly [before: string, after: string]

interface Language {
  readonly around: Construct
  readonly constructs: readonly Construct[]
}

const SHELL: Language = {
  around: ['', ''],
  // biome-ignore format: a table
  constructs: [
    ['while ', '; do a; done'], ['while a; do ', '; done'], ['for i in 1 2 3; do ', '; done'], ['for i in $x; do ', '; done'],
    ['until cd x; do ', '; done'], ['if ', '; then a; fi'], ['if a; then b; else ', '; fi'], ['case $x in a) ', ';& b) c;; esac'],
    ['f() { ', '; }; f; f'], ['{ ', '; }'], ['( ', ' )'], ['a && { ', '; }'], ['a || { ', '; } && b'], ['! ', ''], ['cd x && ', ''],
    ['x=$(', ')'], ['echo "$(', ')"'], ['eval "', '"'], ['a | { ', '; }'], ['cd "$x" || { ', '; }'], ['select x in a b; do ', '; done'],
    ['for ((;;)); do ', '; done'], ['trap "', '" EXIT'], ['cat <(', ')'], ['[[ -f x ]] && { ', '; } || { b; }'], ['set -e; ( ', ' )'],
    ['bash -c "', '"'], ['sudo ', ''], ['env A=1 ', ''], ['xargs ', ''], ['find . -exec ', ' \\;'], ['ssh h ', ''], ['watch "', '"'],
    ['parallel "', '" ::: 1 2 3'], ['git -c alias.x="!', '" x'], ['npx ', ''],
  ],
}

const CODE: readonly Language[] = [
  {
    around: ["pwsh -c '", "'"],
    // biome-ignore format: a table
    constructs: [
      ['while (', ')'], ['while (x) {', '}'], ['if (', ') {a}'], ['foreach ($a in 1,2,3) {', '}'], ['foreach ($a in ', ') {b}'],
      ['for (;;) {', '}'], ['do {', '} while (x)'], ['switch (x) { 1 {', '} }'], ['try {a} catch {', '}'], ['function f {', '}; f; f'],
      ['& {', '}'], ['"$(', ')"'], ['@{a=', '}'], ['1..3 | % {', '}'], ['iex (', ')'], ['$f={', '}; & $f; & $f'],
    ],
  },
  {
    around: ["python3 -c '", "'"],
    // biome-ignore format: a table
    constructs: [
      ['f(', ')'], ['[', ' for x in y]'], ['[x for x in ', ']'], ['[', ' for x in [1,2,3]]'], ['(lambda x: ', ')(1)'], ['(', ' if a else b)'],
      ['f"{', '}"'], ['eval("', '")'], ['map(lambda x:', ',[1,2])'], ['"%s"%(', ')'], ['sorted(x,key=lambda y:', ')'],
    ],
  },
  {
    around: ["node -e '", "'"],
    // biome-ignore format: a table
    constructs: [
      ['while(', '){}'], ['while(a){', '}'], ['for(const x of [1,2,3]){', '}'], ['for(const x of a){x+=1;', '}'], ['if(a){', '}else{b()}'],
      ['(()=>{', '})()'], ['f(()=>{', '})'], ['[1,2].map(x=>{', '})'], ['function f(){', '};f();f()'], ['switch(a){case 1:', '}'],
      ['try{', '}catch{}'], ['`${', '}`'], ['a?', ':b'], ['do{', '}while(a)'], ['eval("', '")'],
      ['function f(a,b){f(b,"x");f(a+b,1);', '};f("y","z")'], ['while(a){a=b;b=c;c=a+b;', '}'],
    ],
  },
  {
    around: ["ruby -e '", "'"],
    // biome-ignore format: a table
    constructs: [
      ['while a do ', ' end'], ['[1,2].each { |x| ', '}'], ['def f; ', ' end; f; f'], ['begin; ', ' rescue a end'], ['"#{', '}"'],
      ['lambda { ', '}.call'], ['loop { ', '}'], ['eval("', '")'],
      ['def f(a); f("x"); f(a + 1); ', ' end; f("y")'], ['while a do a = b; b = c; c = a + b; ', ' end'],
    ],
  },
  {
    around: ["perl -e '", "'"],
    // biome-ignore format: a table
    constructs: [
      ['while (a) {', '}'], ['for (1,2,3) {', '}'], ['for my $x (@a) {', '}'], ['sub f {', '} f(); f();'], ['map {', '} (1,2)'],
      ['sub {', '}->()'], ['"@{[', ']}"'], ['do {', '} while a'], ['eval "', '"'],
      ['sub f { my ($a) = @_; f("x"); f($a . 1); ', '} f("y");'], ['while ($a) { $a = $b; $b = $c . $a; ', '}'],
    ],
  },
  {
    around: ["php -r '", "'"],
    // biome-ignore format: a table
    constructs: [
      ['while(a){', '}'], ['foreach([1,2,3] as $x){', '}'], ['foreach($a as $x){', '}'], ['function f(){', '} f();f();'],
      ['(function(){', '})();'], ['array_map(function($x){', '},[1,2]);'], ['try{', '}catch(E $e){}'], ['eval("', '");'],
      ['function f($a){f("x");f($a.1);', '} f("y");'], ['while($a){$a=$b;$b=$c.$a;', '}'],
    ],
  },
  {
    around: ["awk '", "'"],
    constructs: [
      ['BEGIN{', '}'],
      ['{while(a){', '}}'],
      ['{for(x in a){', '}}'],
      ['a?', ':b'],
      ['function f(){', '} {f();f()}'],
    ],
  },
]

/** A nested text; always the same for the same state of `random`. */
export function nested(random: Random): string {
  const { around, constructs } = random.once(2) ? SHELL : random.pick(CODE)
  const kinds = [random.pick(constructs), random.pick(constructs)]
  let [before, after] = ['', '']
  for (let level = 0, levels = 4 + random.below(60); level < levels; level++) {
    const [open, close] = kinds[level % 2] ?? ['', '']
    before += open
    after = close + after
  }
  return `${around[0]}${before}x${after}${around[1]}`
}
