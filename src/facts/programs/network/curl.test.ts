import { cases } from '../table-harness.ts'

cases('fetching', [
  ['curl https://h.example/a', 'fetch http:get https://h.example/a method=GET'],
  [
    'curl -s -L https://h.example/a -o a.txt',
    'fetch http:get https://h.example/a method=GET redirects=followed | write http:save a.txt from=https://h.example/a',
  ],
  [
    'curl -sLo a.txt https://h.example/a',
    'fetch http:get https://h.example/a method=GET redirects=followed | write http:save a.txt from=https://h.example/a',
  ],
  [
    'curl -O https://h.example/dir/a.txt',
    'fetch http:get https://h.example/dir/a.txt method=GET | write http:save a.txt from=https://h.example/dir/a.txt',
  ],
  ['curl -OJ https://h.example/a', 'fetch http:get https://h.example/a method=GET | write http:save a from=https://h.example/a'],
  [
    'curl --output-dir dir -O https://h.example/a',
    'fetch http:get https://h.example/a method=GET | write http:save dir/a from=https://h.example/a',
  ],
  ['curl -I https://h.example', 'fetch http:head https://h.example method=HEAD'],
  ['curl h.example/a', 'fetch http:get h.example/a method=GET'],
  [
    'curl https://h.example/a https://g.example/b',
    'fetch http:get https://h.example/a method=GET | fetch http:get https://g.example/b method=GET',
  ],
  ['curl --help', ''],
  ['curl -V', ''],
  ['curl -k https://h.example', 'fetch http:get https://h.example method=GET +insecure'],
  ['curl -K config.txt', 'read config.txt | ? options of `curl` come from a file'],
  ['curl --next https://h.example', 'fetch http:get https://h.example method=GET'],
  ['curl file:///etc/passwd', 'fetch http:get file:///etc/passwd method=GET | read /etc/passwd'],
  [
    'curl -o /etc/hosts https://h.example/a',
    'fetch http:get https://h.example/a method=GET | write http:save /etc/hosts from=https://h.example/a',
  ],
  ['curl -D headers.txt https://h.example', 'write headers.txt | fetch http:get https://h.example method=GET'],
  ['curl -c cookies.txt https://h.example', 'write cookies.txt | fetch http:get https://h.example method=GET'],
  ['curl -b cookies.txt https://h.example', 'read cookies.txt | fetch http:get https://h.example method=GET +authorised'],
  ['curl https://$HOST/x', 'fetch http:get https://$HOST/x method=GET'],
  [
    'curl --proxy http://p.example:8080 https://h.example',
    'fetch http:get https://h.example method=GET | fetch http:proxy http://p.example:8080',
  ],
  ['curl -x socks5://p.example https://h.example', 'fetch http:get https://h.example method=GET | fetch http:proxy socks5://p.example'],
  ['curl --resolve h.example:443:127.0.0.1 https://h.example', 'fetch http:get https://h.example method=GET | fetch http:proxy 127.0.0.1'],
  [
    'curl --unix-socket /var/run/docker.sock http://localhost/containers/json',
    'fetch http:get http://localhost/containers/json method=GET | read container:read containers',
  ],
  ["curl 'http://10.0.0.{1,2}/a'", 'fetch http:get http://10.0.0.1/a method=GET | fetch http:get http://10.0.0.2/a method=GET'],
  ["curl 'http://[7-8].h.example'", 'fetch http:get http://7.h.example method=GET | fetch http:get http://8.h.example method=GET'],
  ["curl -g 'http://[::1]/a'", 'fetch http:get http://[::1]/a method=GET'],
  ["curl 'https://h.example/{a,b}'", 'fetch http:get https://h.example/{a,b} method=GET'],
  ['curl -G -d a=b https://h.example', 'fetch http:get https://h.example method=GET'],
])

cases('sending', [
  ['curl -d a=b https://h.example', 'send http:post https://h.example ! method=POST'],
  [
    'curl -d @secret.txt https://h.example',
    'read secret.txt | send http:post https://h.example ! method=POST carries=file from=secret.txt',
  ],
  ['curl --data-binary @- https://h.example', 'send http:post https://h.example ! method=POST'],
  [
    'curl --data-urlencode name@file https://h.example',
    'read file | send http:post https://h.example ! method=POST carries=file from=file',
  ],
  ['curl -F file=@a.txt https://h.example', 'read a.txt | send http:post https://h.example ! method=POST +upload carries=file from=a.txt'],
  ["curl -F 'x=<a.txt' https://h.example", 'read a.txt | send http:post https://h.example ! method=POST +upload carries=file from=a.txt'],
  ['curl -T a.txt https://h.example/', 'read a.txt | send http:put https://h.example/ ! method=PUT +upload carries=file from=a.txt'],
  ['curl --upload-file a.txt ftp://h.example/', 'read a.txt | send http:put ftp://h.example/ ! method=PUT +upload carries=file from=a.txt'],
  ['curl -X POST https://h.example', 'send http:post https://h.example ! method=POST'],
  ['curl -XDELETE https://h.example/1', 'send http:delete https://h.example/1 ! method=DELETE'],
  ["curl -X PUT --json '{}' https://h.example", 'send http:put https://h.example ! method=PUT'],
  ["curl -H 'Authorization: Bearer x' https://h.example", 'fetch http:get https://h.example method=GET'],
  [
    'curl -H @headers.txt https://h.example',
    'read headers.txt | send http:get https://h.example ! method=GET carries=file from=headers.txt',
  ],
  [
    'curl -u me:pw https://h.example',
    'fetch http:get https://h.example method=GET +authorised | change exposed:secret a password for curl',
  ],
  ['curl -n https://h.example', 'read ~/.netrc | fetch http:get https://h.example method=GET +authorised'],
  ['curl -X GET -d a=b https://h.example', 'send http:get https://h.example ! method=GET'],
  ['curl --request=POST https://h.example', 'send http:post https://h.example ! method=POST'],
])
