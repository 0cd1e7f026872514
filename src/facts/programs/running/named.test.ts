import { describe, expect, test } from 'vitest'
import { lines } from '../../bash/harness.ts'
import { knownWord } from '../../resources/text/word.ts'
import { addressWords } from './bus-address.ts'

describe('programs that run what an option names, or what they read', () => {
  for (const [text, expected] of [
    ["echo 'esyscmd(rm -rf x)' | m4", ['delete /repo/x']],
    ["echo 'syscmd(`rm x`)' | m4 -", ['delete /repo/x']],
    ["echo 'include(/etc/shadow)' | m4", ['read /etc/shadow']],
    ["echo 'esyscmd(rm x)' > in.m4; m4 in.m4", ['write /repo/in.m4', 'read /repo/in.m4', 'delete /repo/x']],
    ['m4 -DX=1 configure.m4 -o out.sh', ['write /repo/out.sh', 'read /repo/configure.m4']],
    ['pidstat -e rm -rf x', ['delete /repo/x']],
    ['pidstat 1 5', []],
    ['logsave boot.log rm x', ['write /repo/boot.log', 'delete /repo/x']],
    ['logsave /dev/null rm x', ['delete /repo/x']],
    ["csvtool call 'rm x' in.csv", ['delete /repo/x', 'read /repo/in.csv']],
    ['csvtool col 1 in.csv -o out.csv', ['write /repo/out.csv', 'read /repo/in.csv']],
    ['csvtool readable in.csv', ['read /repo/in.csv']],
    ['byebug --no-stop /tmp/x.rb', ['likely execute script:unseen /tmp/x.rb']],
    ['gimp -i -b \'import os; os.remove("x")\' --batch-interpreter=python-fu-eval', ['delete /repo/x']],
    ["gimp -i -b '(gimp-quit 0)'", []],
    ["gimp -i -b '(file-delete x)'", ['opaque `gimp` is handed code in a language that is not analysed']],
    ["elvish -c 'rm x'", ['delete /repo/x']],
    ["rc -c 'rm x'", ['delete /repo/x']],
    ['busctl list', []],
    ['busctl --address=unixexec:path=/bin/rm,argv1=-rf,argv2=x', ['delete /repo/x']],
    ['busctl call a b c d', ['change service:call message bus']],
    ['run-mailcap --action=view text/plain:/etc/shadow', ['read /etc/shadow']],
    ['run-mailcap --action=edit text/plain:notes', ['read /repo/notes', 'possible write /repo/notes']],
    ['pexec -n 2 rm x', ['delete /repo/x']],
    ['aoss rm x', ['delete /repo/x']],
    ['openvt -- rm x', ['delete /repo/x']],
    ['agetty -l /tmp/x tty1', ['likely execute script:unseen /tmp/x']],
    ['plymouth ask-for-password --prompt=x --command=/tmp/x', ['likely execute script:unseen /tmp/x']],
    ['zic -y /tmp/x zone', ['likely execute script:unseen /tmp/x', 'read /repo/zone']],
    ["enscript in.txt -o out.ps -I 'rm x'", ['write /repo/out.ps', 'read /repo/in.txt', 'delete /repo/x']],
    ["echo '! rm x' > s; minicom -S s", ['write /repo/s', 'delete /repo/x']],
    ['minicom -S script.txt', ['likely execute script:unseen /repo/script.txt']],
    ["echo '! rm x' > s; runscript s", ['write /repo/s', 'delete /repo/x']],
    ["perlbug -e 'rm x #'", ['delete /repo/x']],
    ['cowsay hello', []],
    ['cowsay -f tux hello', []],
    ['cowsay -f /tmp/x.pl hello', ['likely execute script:unseen /tmp/x.pl']],
    ['easyrsa --vars=/tmp/vars build-ca', ['likely execute script:unseen /tmp/vars']],
    ['fastfetch', []],
    ['fastfetch -c /tmp/x.jsonc', ['likely execute script:unseen /tmp/x.jsonc']],
    ['fastfetch --file notes.txt', ['read /repo/notes.txt']],
    ['service ../../tmp/x start', ['likely execute script:unseen /tmp/x', 'change service:start ../../tmp/x']],
    ['service nginx status', []],
  ] as const) {
    test(text, () => expect(lines(text)).toEqual(expected))
  }
})

describe('what known programs are handed besides', () => {
  for (const [text, expected] of [
    ["latex '\\openout\\f=/etc/x.conf'", 'write /etc/x.conf'],
    ["latex '\\verbatiminput{/etc/shadow}'", 'read /etc/shadow'],
    ['lualatex \'\\directlua{os.remove("x")}\'', 'delete /repo/x'],
    ["tex --shell-escape '\\write18{rm x}'", 'delete /repo/x'],
    ["make --eval='$(file >/etc/x.conf,text)' .", 'write /etc/x.conf'],
    ["make --eval='$(info $(file </etc/shadow))' .", 'read /etc/shadow'],
    ["apache2 -C 'Include /etc/shadow'", 'read /etc/shadow'],
    ["apachectl -c 'LoadModule x /tmp/x.so'", 'execute code:load /tmp/x.so'],
    ["vim -c ':redir! >/etc/x.conf | echo 1'", 'write /etc/x.conf'],
    ["rpm --pipe 'rm x'", 'delete /repo/x'],
    ['screen -L -Logfile /etc/x.conf date', 'write /etc/x.conf'],
    ["vi -c ':set shell=/tmp/x | shell'", 'likely execute script:unseen /tmp/x'],
    ['dmidecode --dump-bin /etc/x.conf', 'write /etc/x.conf'],
    ['mysql --default-auth ../../tmp/lib', 'likely execute code:load /tmp/lib'],
    ['man /etc/shadow', 'possible read /etc/shadow'],
    ['wall --nobanner /etc/shadow', 'read /etc/shadow'],
    ['w3m -dump /etc/shadow', 'read /etc/shadow'],
    ['links ../notes.html', 'read /notes.html'],
    ['fping -f /etc/shadow', 'read /etc/shadow'],
    ['ssh-keyscan -f /etc/shadow', 'read /etc/shadow'],
    ['arp -f /etc/shadow', 'read /etc/shadow'],
    ['ss -a -F /etc/shadow', 'read /etc/shadow'],
    ["gem open -e 'rm x' debug", 'delete /repo/x'],
    ['gem build /tmp/x.rb', 'likely execute script:unseen /tmp/x.rb'],
    ['gem install --file /tmp/x.rb', 'likely execute script:unseen /tmp/x.rb'],
    ['rlwrap -l /etc/x.conf date', 'write /etc/x.conf'],
    ['CRASHPAGER=/tmp/x crash', 'change env:inject CRASHPAGER'],
    ['AUTOM4TE=/tmp/x autoconf', 'change env:inject AUTOM4TE'],
  ] as const) {
    test(text, () => expect(lines(text)).toContain(expected))
  }
})

describe('addresses of the message bus', () => {
  const span = { pointer: '/command', start: 0, end: 1 }
  const words = (text: string) => addressWords(knownWord(text, span)).map((word) => word.text)
  for (const [text, expected] of [
    ['unixexec:path=/bin/sh,argv1=-c,argv2=rm%20x', ['/bin/sh', '-c', 'rm x']],
    ['unix:path=/run/bus', []],
    ['unix:path=/run/bus;unixexec:path=/tmp/x', ['/tmp/x']],
    ['unixexec:argv1=x', []],
    ['unixexec:path=/tmp/x,argv2=late', ['/tmp/x']],
    ['', []],
  ] as const) {
    test(text, () => expect(words(text)).toEqual(expected))
  }
})
