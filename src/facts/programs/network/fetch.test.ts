import { cases } from '../table-harness.ts'

cases('wget', [
  [
    'wget https://h.example/a.txt',
    'fetch http:get https://h.example/a.txt method=GET redirects=followed | write http:save a.txt from=https://h.example/a.txt',
  ],
  [
    'wget -O out https://h.example/a',
    'fetch http:get https://h.example/a method=GET redirects=followed | write http:save out from=https://h.example/a',
  ],
  ['wget -qO- https://h.example/a', 'fetch http:get https://h.example/a method=GET redirects=followed'],
  [
    'wget -P dir https://h.example/a.txt',
    'fetch http:get https://h.example/a.txt method=GET redirects=followed | write http:save dir/a.txt from=https://h.example/a.txt',
  ],
  ['wget -i urls.txt', '? the addresses come from a file | read urls.txt'],
  [
    'wget --post-data=a=b https://h.example',
    'send http:post https://h.example ! method=POST redirects=followed | write http:save index.html from=https://h.example',
  ],
  [
    'wget --post-file=a.txt https://h.example',
    'read a.txt | send http:post https://h.example ! method=POST redirects=followed carries=file from=a.txt | write http:save index.html from=https://h.example',
  ],
  [
    'wget --body-file=a.txt --method=PUT https://h.example',
    'read a.txt | send http:put https://h.example ! method=PUT redirects=followed carries=file from=a.txt | write http:save index.html from=https://h.example',
  ],
  [
    'wget -r -l 2 https://h.example',
    'fetch http:get https://h.example method=GET +recursive redirects=followed | write http:save . +mass from=https://h.example',
  ],
  [
    'wget --mirror https://h.example/',
    'fetch http:get https://h.example/ method=GET +recursive redirects=followed | write http:save . +mass from=https://h.example/',
  ],
  [
    'wget --use-askpass=./x https://h.example',
    'likely execute script:unseen x | fetch http:get https://h.example method=GET redirects=followed | write http:save index.html from=https://h.example',
  ],
  [
    "wget --execute='robots=off' https://h.example",
    'fetch http:get https://h.example method=GET redirects=followed | write http:save index.html from=https://h.example',
  ],
  [
    'wget --no-check-certificate https://h.example',
    'fetch http:get https://h.example method=GET +insecure redirects=followed | write http:save index.html from=https://h.example',
  ],
  ['wget --spider https://h.example', 'fetch http:get https://h.example method=GET redirects=followed'],
  [
    'wget -o log.txt https://h.example/a',
    'write log.txt | fetch http:get https://h.example/a method=GET redirects=followed | write http:save a from=https://h.example/a',
  ],
  ['wget --help', ''],
  [
    'wget -c https://h.example/big.iso',
    'fetch http:get https://h.example/big.iso method=GET redirects=followed | write http:save big.iso from=https://h.example/big.iso',
  ],
])

cases('httpie', [
  ['http h.example', 'fetch http:get h.example method=GET'],
  ['http POST h.example a=b', 'send http:post h.example ! method=POST'],
  ['http PUT h.example/x @file', 'read file | send http:put h.example/x ! method=PUT +upload carries=file from=file'],
  ['http --download h.example/a', 'fetch http:get h.example/a method=GET | write http:save a from=h.example/a'],
  ['http -d -o a.txt h.example/a', 'fetch http:get h.example/a method=GET | write http:save a.txt from=h.example/a'],
  ['http h.example a=b', 'send http:post h.example ! method=POST'],
  ['http :3000/x', 'fetch http:get http://localhost:3000/x method=GET'],
  ['http DELETE https://h.example/1', 'send http:delete https://h.example/1 ! method=DELETE'],
  ['http --form POST h.example f@a.txt', 'read a.txt | send http:post h.example ! method=POST +upload carries=file from=a.txt'],
  ['xh get h.example', 'fetch http:get h.example method=GET'],
  ['https h.example', 'fetch http:get h.example method=GET'],
])

cases('downloaders', [
  [
    'aria2c https://h.example/a.iso',
    'fetch http:get https://h.example/a.iso method=GET redirects=followed | write http:save a.iso from=https://h.example/a.iso',
  ],
  [
    'aria2c -d dir -o name https://h.example/a',
    'fetch http:get https://h.example/a method=GET redirects=followed | write http:save name from=https://h.example/a',
  ],
  ['aria2c -i list.txt', 'read list.txt'],
  ['axel -o a https://h.example/a', 'fetch https://h.example/a | write http:save a from=https://h.example/a'],
  ['axel -q https://h.example/a.sh', 'fetch https://h.example/a.sh | write http:save a.sh from=https://h.example/a.sh'],
  ['lwp-download https://h.example/a.pl', 'fetch https://h.example/a.pl | write http:save a.pl from=https://h.example/a.pl'],
  ['wcurl https://h.example/a', 'fetch https://h.example/a | write http:save a from=https://h.example/a'],
  ['yt-dlp https://v.example/1', 'fetch https://v.example/1'],
  ['yt-dlp -o out.mp4 https://v.example/1', 'fetch https://v.example/1 | write http:save out.mp4'],
  ["yt-dlp --exec 'rm x' https://v.example/1", 'fetch https://v.example/1 | delete x !'],
  ['yt-dlp -a list.txt', 'read list.txt'],
])

cases('browsers', [
  ['lynx -dump https://h.example', 'fetch http:get https://h.example method=GET redirects=followed'],
  ['w3m https://h.example', 'fetch http:get https://h.example method=GET redirects=followed'],
  ['links a.html', 'fetch http:get a.html method=GET redirects=followed'],
  ['GET https://h.example', 'fetch https://h.example'],
  ['POST https://h.example', 'send https://h.example !'],
  ['websocat wss://h.example', 'send http:request wss://h.example !'],
  ['grpcurl h.example:443 list', 'send http:request h.example:443 !'],
  ['http POST h.example @body.json', 'read body.json | send http:post h.example ! method=POST +upload carries=file from=body.json'],
  ['http h.example to=me@h.example', 'send http:post h.example ! method=POST'],
  ['http h.example X-A:a@b', 'fetch http:get h.example method=GET'],
])
