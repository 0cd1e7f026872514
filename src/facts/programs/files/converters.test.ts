import { describe, expect, test } from 'vitest'
import { lines } from '../../bash/harness.ts'

describe('converters, galleries and queues', () => {
  for (const [text, expected] of [
    ['sd a b src/x.js', ['write text:edit /repo/src/x.js']],
    ['sd -p a b src/x.js', ['read /repo/src/x.js']],
    ["sd 'a' 'b'", []],
    ['img2pdf a/1.jpg a/2.jpg --output out.pdf', ['write /repo/out.pdf', 'read /repo/a/1.jpg', 'read /repo/a/2.jpg']],
    ['img2pdf /etc/shadow', ['read /etc/shadow']],
    ['ocrmypdf in.pdf out.pdf', ['read /repo/in.pdf', 'write /repo/out.pdf']],
    ['ocrmypdf --sidecar t.txt in.pdf -', ['write /repo/t.txt', 'read /repo/in.pdf']],
    ['gallery-dl -D pics https://x.example/g', ['write /repo/pics', 'fetch https://x.example/g']],
    ["gallery-dl --exec 'rm x' https://x.example/g", ['fetch https://x.example/g', 'delete /repo/x']],
    ['gallery-dl --cookies-from-browser firefox', ['read secret:read browser cookies']],
    ['gallery-dl -i list.txt', ['read /repo/list.txt']],
    ['vhs demo.tape', ['likely execute script:unseen /repo/demo.tape']],
    ['vhs validate demo.tape', ['read /repo/demo.tape']],
    ['vhs publish demo.gif', ['read /repo/demo.gif', 'publish cli:publish demo.gif']],
    ["pueue add -- 'rm x'", ['delete /repo/x']],
    ['pueue add -g default rm x', ['delete /repo/x']],
    ['pueue status', []],
    ['pueue log 3', []],
    ['pueue kill 3', []],
    ['a2ensite shop', ['change service:change apache']],
    ['a2ensite --help', []],
    ['lp report.pdf', ['read /repo/report.pdf']],
    ['lp -h x.example report.pdf', ['read /repo/report.pdf', 'send net:upload x.example']],
    ["hyperfine --parameter-scan n 1 4 'rm x'", ['delete /repo/x']],
    ["hyperfine -P n 1 4 'rm x'", ['delete /repo/x']],
  ] as const) {
    test(text, () => expect(lines(text)).toEqual(expected))
  }
})
