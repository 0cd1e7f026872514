/** The command channel with real programs: this Node, running a script of the test's. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { bash, type World, world } from '../../../test/support/channels.ts'
import { temporaryDirectory } from '../../../test/support/records.ts'
import type { StoredApproval } from '../store.ts'

const FORCE = 'git push --force origin main'

/** A program that reads the notice as `n` and runs this code. */
function program(code: string): string {
  const path = join(temporaryDirectory(), 'program.mjs')
  writeFileSync(
    path,
    `let s='';process.stdin.setEncoding('utf8').on('data',(c)=>{s+=c}).on('end',()=>{const n=s===''?null:JSON.parse(s);const say=(v)=>console.log(JSON.stringify(v));${code}})`,
  )
  return path
}

function meet(code: string, more = 'answers: true, approvers: { al: alice, me: me }', rest = ''): World {
  const command = JSON.stringify([process.execPath, program(code)])
  return world(`approvals: { channels: [{ name: run, type: command, command: ${command}, ${more} }]${rest} }\n`)
}

async function asked(at: World, command = FORCE): Promise<StoredApproval> {
  const { id } = await at.asks(bash(command, { principal: { agent: null, role: null, user: 'me', tenant: null, chain: [] } }))
  await at.channels.drain()
  return at.stored(id)
}

describe('a program', () => {
  test('is given the call and answers for a person', async () => {
    const at = meet("say({approved:n.data.args.command==='git push --force origin main',by:'al',comment:n.type+' '+n.channel})")
    expect(await asked(at)).toMatchObject({ status: 'approved', answers: [{ by: 'human:alice', reason: 'approval.requested run' }] })
  })

  test('says no', async () => {
    expect(await asked(meet("say({approved:false,by:'al',comment:'no'})"))).toMatchObject({ status: 'denied', answers: [{ reason: 'no' }] })
  })

  test('may name the call that it answers, and then it has to be that one', async () => {
    expect(await asked(meet("say({approved:true,by:'al',approval:n.data.approval,digest:n.data.digest})"))).toMatchObject({
      status: 'approved',
    })
    for (const field of ['approval', 'digest'])
      expect(await asked(meet(`say({approved:true,by:'al',${field}:'x'})`))).toMatchObject({ status: 'pending', answers: [] })
  })

  test('that is only told is run once, and what it prints is nothing', async () => {
    const at = meet("say({approved:true,by:'al'})", 'timeout: 20s')
    expect(await asked(at)).toMatchObject({ status: 'pending', answers: [] })
    expect(at.channels.rows(1)[0]).toMatchObject({ state: 'over', attempts: 1 })
    at.later(16 * 60_000)
    expect(await at.channels.drain()).toBe(0)
  })

  test('has an environment of its own', async () => {
    process.env.COUNTERSIGN_TEST_SECRET = 'visible'
    const at = meet("say({approved:false,by:'al',comment:Object.keys(process.env).sort().join()+' '+process.cwd()})")
    const { answers } = await asked(at)
    delete process.env.COUNTERSIGN_TEST_SECRET
    expect(answers[0]?.reason).toBe('LANG,PATH /')
  })

  test('is no shell: its arguments are arguments', async () => {
    const path = program("say({approved:false,by:'al',comment:process.argv.slice(2).join('|')})")
    const command = JSON.stringify([process.execPath, path, '$(id)', '; ls', '*'])
    const at = world(
      `approvals: { channels: [{ name: run, type: command, command: ${command}, answers: true, approvers: { al: alice } }] }\n`,
    )
    expect((await asked(at)).answers[0]?.reason).toBe('$(id)|; ls|*')
  })

  proves('PRO-29c', 'cannot approve for who asked', async () => {
    expect(await asked(meet("say({approved:true,by:'me'})"))).toMatchObject({ status: 'pending', answers: [] })
  })
})

describe('what goes wrong is no answer', () => {
  const cases: readonly (readonly [title: string, code: string, error: string])[] = [
    ['an exit code', "say({approved:false,by:'al'});process.exitCode=1", 'the program ended with 1'],
    ['a crash', 'throw new Error("x")', 'the program ended with 1'],
    ['a signal', "process.kill(process.pid,'SIGTERM')", 'it was ended by SIGTERM'],
    ['nothing', '', 'the program printed no JSON object'],
    ['prose', "console.log('yes, approved')", 'the program printed no JSON object'],
    ['a list', 'say([true])', 'the program printed no JSON object'],
    ['two answers', "say({approved:true,by:'al'});say({approved:true,by:'al'})", 'the program printed no JSON object'],
    ['one field twice', 'console.log(\'{"approved":false,"approved":true,"by":"al"}\')', 'the program printed no JSON object'],
    ['`approved` as a text', "say({approved:'true',by:'al'})", 'neither `true` nor `false`'],
    ['no `approved`', "say({by:'al'})", 'neither `true` nor `false`'],
    ['no person', 'say({approved:true})', '`by` and `comment` are texts'],
    ['a stranger', "say({approved:true,by:'mallory'})", 'is no approver'],
    ['other arguments', "say({approved:true,by:'al',modified_arguments:{}})", 'cannot change the arguments'],
    ['a flood', "process.stdout.write('x'.repeat(3_000_000))", 'more than 1048576 bytes'],
  ]
  for (const [title, code, error] of cases) {
    proves(['PRO-27', 'PRO-W2'], title, async () => {
      const at = meet(code)
      expect(await asked(at)).toMatchObject({ status: 'pending', answers: [] })
      expect(at.channels.rows(1)[0]?.error).toContain(error)
      // Nobody said no: the same call is asked again, and not refused as denied before.
      expect((await at.decide(bash(FORCE, { principal: { agent: null, role: null, user: 'me', tenant: null, chain: [] } }))).decision).toBe(
        'ask',
      )
    })
  }

  test('too much time', async () => {
    const at = meet('setInterval(()=>{},1000)', 'answers: true, approvers: { al: alice }, timeout: 300ms')
    expect(await asked(at)).toMatchObject({ status: 'pending' })
    expect(at.channels.rows(1)[0]).toMatchObject({
      state: 'waiting',
      attempts: 1,
      error: 'the program gave no answer: it did not end within 300 ms',
    })
  })

  test('a program that is not there is tried three times and then given up', async () => {
    const at = world('approvals: { channels: [{ name: run, type: command, command: [/nonexistent/program] }] }\n')
    await asked(at)
    for (let n = 0; n < 4; n++) {
      at.later(100_000)
      await at.channels.drain()
    }
    expect(at.channels.rows(1)[0]).toMatchObject({
      state: 'dead',
      attempts: 3,
      error: 'the program gave no answer: it cannot be run: ENOENT',
    })
  })

  test('a gate that stops ends the program, and the next one runs it again', async () => {
    const at = meet("setTimeout(()=>say({approved:true,by:'al'}),n.data.yes+1)")
    const other = at.other()
    const slow = meet('setInterval(()=>{},1000)')
    await slow.asks(bash(FORCE))
    const working = slow.channels.drain()
    while (slow.channels.rows(1)[0]?.state !== 'claimed') await new Promise((resolve) => setTimeout(resolve, 5))
    await slow.channels.stop()
    await working
    expect(slow.channels.rows(1)[0]).toMatchObject({ state: 'waiting', error: 'the program gave no answer: it was stopped' })
    await at.asks(bash(FORCE))
    await other.drain()
    expect(at.channels.rows(1)[0]).toMatchObject({ state: 'over' })
  })
})
