import { describe, expect, test } from 'vitest'
import { summary } from '../harness.ts'

/** What Python programs do to files: each piece of code and everything that is said of it. */

describe('reading', () => {
  for (const [code, expected] of [
    [`open('/etc/passwd').read()`, ['read /etc/passwd']],
    [`with open('a.txt') as f: print(f.read())`, ['read a.txt']],
    [
      `with open('a.txt', 'r', encoding='utf-8') as f:
    for line in f:
        print(line.strip())`,
      ['read a.txt'],
    ],
    [`with open('a') as f, open('b') as g: print(f.read(), g.read())`, ['read a', 'read b']],
    [`with (open('a') as f, open('b') as g): pass`, ['read a', 'read b']],
    [`open(file='a.txt')`, ['read a.txt']],
    [`open(f'/etc/{name}')`, ['read /etc/*']],
    [`open('/etc/' + name)`, ['read /etc/*']],
    [`open('/etc/%s' % name)`, ['read /etc/*']],
    [`open('/etc/{}'.format(name))`, ['read /etc/*']],
    [`import io; io.open('a.bin', 'rb').read(4)`, ['read a.bin']],
    [`import codecs; codecs.open('a', encoding='utf-8')`, ['read a']],
    [`import gzip; gzip.open('a.gz', 'rt').read()`, ['read a.gz']],
    [`from pathlib import Path; Path('a.txt').read_text()`, ['read a.txt']],
    [`from pathlib import Path; (Path.home() / '.ssh' / 'id_rsa').read_bytes()`, ['read /home/me/.ssh/id_rsa']],
    [`import pathlib; print(pathlib.Path(__file__).parent.joinpath('x').read_text())`, ['read ./x']],
    [
      `from pathlib import Path
for p in Path('src').rglob('*.py'):
    print(p.read_text())`,
      ['read fs:list src', 'read src/*.py'],
    ],
    [`import os; open(os.path.join(os.path.expanduser('~'), '.aws', 'credentials')).read()`, ['read /home/me/.aws/credentials']],
    [`import os; open(os.path.expanduser('~/.netrc'))`, ['read /home/me/.netrc']],
    [
      `import os
for d, _, fs in os.walk('/etc'):
    for f in fs: open(os.path.join(d, f)).read()`,
      ['read /etc/*'],
    ],
    [
      `import glob
for f in glob.glob('/var/log/*.log'): open(f).read()`,
      ['read /var/log/*.log'],
    ],
    [`import json; json.load(open('x.json'))`, ['read x.json']],
    [`import csv; list(csv.reader(open('x.csv')))`, ['read x.csv']],
    [`import pandas as pd; pd.read_csv('x.csv').head()`, ['read x.csv']],
    [`import numpy as np; np.load('x.npy')`, ['read x.npy']],
    [`import linecache; linecache.getline('x.py', 3)`, ['read x.py']],
    [`import fileinput; [print(l) for l in fileinput.input('a.txt')]`, ['read a.txt']],
    [`import tarfile; tarfile.open('x.tgz').extractall('/opt/x')`, ['read x.tgz', 'write archive:extract /opt/x']],
    [`import zipfile; zipfile.ZipFile('x.zip').extractall()`, ['read x.zip', 'write archive:extract .']],
    [`import configparser; c = configparser.ConfigParser(); c.read('x.ini')`, ['read x.ini']],
    [`import os; fd = os.open('a', os.O_RDONLY); os.read(fd, 10)`, ['read a']],
  ] as const)
    test(code, () => expect(summary('python', code)).toEqual(expected))
})

describe('writing', () => {
  for (const [code, expected] of [
    [`open('out.txt', 'w').write('x')`, ['write out.txt']],
    [`with open('out.txt', 'w') as f: f.write('x')`, ['write out.txt']],
    [`with open('log', mode='a') as f: print('x', file=f)`, ['write log']],
    [`open('db', 'r+b')`, ['read db', 'write db']],
    [`open('new', 'x')`, ['write new']],
    [`m = 'w'; open('out', m)`, ['write out']],
    [`open('out', mode)`, ['read out', 'write out']],
    [`from pathlib import Path; Path('out.txt').write_text('x')`, ['write out.txt']],
    [`from pathlib import Path; Path('/etc/cron.d/x').write_bytes(b'x')`, ['write /etc/cron.d/x']],
    [`from pathlib import Path; Path('~/.bashrc').expanduser().open('a').write('x')`, ['write /home/me/.bashrc']],
    [`from pathlib import Path; Path('a/b').mkdir(parents=True, exist_ok=True); Path('x').touch()`, ['write fs:mkdir a/b', 'write x']],
    [`import os; os.makedirs('a/b', exist_ok=True)`, ['write fs:mkdir a/b']],
    [`import os; os.mkdir('/opt/x')`, ['write fs:mkdir /opt/x']],
    [`import json; json.dump({}, open('x.json', 'w'))`, ['write x.json']],
    [`import os; fd = os.open('a', os.O_WRONLY | os.O_CREAT); os.write(fd, b'x')`, ['write a']],
    [`import os; os.truncate('a', 0)`, ['write fs:truncate a']],
    [`import shutil; shutil.copy('a', 'b')`, ['read fs:copy a', 'write fs:copy b']],
    [`import shutil; shutil.copytree('src', dst='out')`, ['read fs:copy src', 'write fs:copy out']],
    [`import shutil; shutil.unpack_archive('x.zip', 'out')`, ['read x.zip', 'write archive:extract out']],
    [`import shutil; shutil.make_archive('out', 'zip', 'src')`, ['read src', 'write archive:create out.zip']],
    [`import tempfile; open(tempfile.mktemp(), 'w')`, ['write /tmp/*']],
  ] as const)
    test(code, () => expect(summary('python', code)).toEqual(expected))
})

describe('removing', () => {
  for (const [code, expected] of [
    [`import os; os.remove('a.txt')`, ['delete a.txt']],
    [`import os; os.unlink(path='a.txt')`, ['delete a.txt']],
    [`from os import remove; remove('a')`, ['delete a']],
    [`from os import remove as rm; rm('a')`, ['delete a']],
    [`import os as o; o.remove('a')`, ['delete a']],
    [
      `from os import *
remove('a')`,
      ['delete a'],
    ],
    [`import os; [os.remove(f) for f in ['a', 'b']]`, ['delete a', 'delete b']],
    ['import os; os.remove(f"/tmp/{x}.log")', ['delete /tmp/*']],
    [
      `import os
for f in os.listdir('/srv'): os.remove(os.path.join('/srv', f))`,
      ['delete /srv/*'],
    ],
    [`import os; os.rmdir('d')`, ['delete fs:rmdir d']],
    [`import os; os.removedirs('a/b')`, ['delete a/b']],
    [`import shutil; shutil.rmtree('build', ignore_errors=True)`, ['delete build']],
    [`import shutil; shutil.rmtree('/')`, ['delete /']],
    [`import shutil, os; shutil.rmtree(os.path.expanduser('~'))`, ['delete /home/me']],
    [`from shutil import rmtree; rmtree(path='x')`, ['delete x']],
    [`from pathlib import Path; Path('a').unlink(missing_ok=True)`, ['delete a']],
    [`from pathlib import Path; Path('d').rmdir()`, ['delete fs:rmdir d']],
    [
      `from pathlib import Path
for p in Path('/tmp').glob('*.tmp'):
    p.unlink()`,
      ['delete /tmp/*.tmp'],
    ],
    [`from pathlib import Path; [p.unlink() for p in Path('.').iterdir() if p.is_file()]`, ['delete ./*']],
    [`import glob, os; list(map(os.remove, glob.glob('*.o')))`, ['delete *.o']],
    [`from send2trash import send2trash; send2trash('a')`, ['delete fs:trash a']],
    [`__import__('os').remove('a')`, ['delete a']],
    [`getattr(__import__('os'), 'rem' + 'ove')('a')`, ['delete a']],
    [`import importlib; importlib.import_module('os').remove('a')`, ['delete a']],
    [`import os; vars(os)['remove']('a')`, ['delete a']],
    [`import os; os.__dict__['remove']('a')`, ['delete a']],
    [`import sys, os; sys.modules['os'].remove('a')`, ['delete a']],
    [`import os; f = os.remove; f('a')`, ['delete a']],
    [`import os; {'k': os.remove}['k']('a')`, ['delete a']],
    [`import os; (lambda p: os.remove(p))('a')`, ['delete a']],
    [
      `import os
def rm(p): os.remove(p)
rm('/etc/motd')`,
      ['delete /etc/motd'],
    ],
    [
      `import os
def rm(*ps, **k):
    for p in ps: os.remove(p)
rm('a', 'b')`,
      ['delete a', 'delete b'],
    ],
    [
      `import os
def rm(p='dflt'): os.remove(p)
rm()`,
      ['delete dflt'],
    ],
    [
      `import os
class C:
    def __init__(self, p): self.p = p
    def go(self): os.remove(self.p)
C('/opt/x').go()`,
      ['delete /opt/x'],
    ],
    [
      `import os
if x: p = 'a'
elif y: p = 'b'
else: p = 'c'
os.remove(p)`,
      ['delete a', 'delete b', 'delete c'],
    ],
    [`import os; p = 'a' if x else 'b'; os.remove(p)`, ['delete a', 'delete b']],
    [
      `import os
try: os.remove('a')
except OSError: os.remove('b')
finally: os.remove('c')`,
      ['delete a', 'delete b', 'delete c'],
    ],
    [
      `import os
while True:
    os.remove('w')
    break`,
      ['delete w'],
    ],
    [
      `import os
match x:
    case 1: os.remove('one')
    case _: os.remove('other')`,
      ['delete one', 'delete other'],
    ],
    [`import os; a, b = 'x', 'y'; os.remove(b)`, ['delete y']],
    [`import os; (a, *b) = ['x', 'y', 'z']; os.remove(a)`, ['delete x']],
    [`import os; d = {'f': 'data'}; os.remove(d['f'])`, ['delete data']],
    [`import os; d = dict(f='data'); os.remove(d.get('f'))`, ['delete data']],
    [`import os; os.remove(['x', 'y'][1]); os.remove('abc'[0])`, ['delete a', 'delete y']],
    [`import os; p = '/srv'; p += '/x'; os.remove(p)`, ['delete /srv/x']],
    [`import os; os.remove('/'.join(['a', 'b']))`, ['delete a/b']],
    [`import os; os.remove('a,b'.split(',')[1])`, ['delete b']],
    [
      `import os; os.remove('X'.lower()); os.remove(' y '.strip()); os.remove('a.c'.replace('c', 'd'))`,
      ['delete a.d', 'delete x', 'delete y'],
    ],
    [`import os; os.remove('dcba'[::-1])`, ['delete abcd']],
    ['import os; os.remove(chr(97) + chr(98))', ['delete ab']],
    ['import os; os.remove(bytes([97, 98]).decode())', ['delete ab']],
    [`import os; os.remove(os.path.dirname('/a/b/c')); os.remove(os.path.basename('/a/b/c'))`, ['delete /a/b', 'delete c']],
    [
      `import os
if __name__ == '__main__':
    os.remove('main')`,
      ['delete main'],
    ],
    [
      `import os
async def f():
    os.remove('async')
import asyncio; asyncio.run(f())`,
      ['delete async'],
    ],
    [
      `import os
@decorator
def f(): os.remove('decorated')`,
      ['delete decorated'],
    ],
    [`import os; (p := 'walrus'); os.remove(p)`, ['delete walrus']],
    ['import os; os.remove("""triple""")', ['delete triple']],
    [`import os; os.remove('a' 'b')`, ['delete ab']],
    [`import os; os.remove(r'raw\\n')`, ['delete raw\\n']],
  ] as const)
    test(code, () => expect(summary('python', code)).toEqual(expected))
})

describe('moving, linking, modes', () => {
  for (const [code, expected] of [
    [`import os; os.rename('a', 'b')`, ['delete fs:move a', 'write fs:move b']],
    [`import os; os.replace(src='a', dst='b')`, ['delete fs:move a', 'write fs:move b']],
    [`import shutil; shutil.move('a', 'b')`, ['delete fs:move a', 'write fs:move b']],
    [`from pathlib import Path; Path('a').rename('b')`, ['delete fs:move a', 'write fs:move b']],
    [`import os; os.symlink('/etc/passwd', 'l')`, ['write fs:link l']],
    [`from pathlib import Path; Path('l').symlink_to('/etc/passwd')`, ['write fs:link l']],
    [`import os; os.chmod('a', 0o777)`, ['change fs:chmod a']],
    [`from pathlib import Path; Path('a').chmod(0o600)`, ['change fs:chmod a']],
    [`import os, stat; os.chmod('a', stat.S_IXUSR)`, ['change fs:chmod a']],
    [`import os; os.chown('a', 0, 0)`, ['change fs:chown a']],
  ] as const)
    test(code, () => expect(summary('python', code)).toEqual(expected))
})

describe('the environment', () => {
  for (const [code, expected] of [
    ['import os; print(os.environ)', ['read *', 'read env:list *']],
    [`import os; print(os.environ['AWS_SECRET_ACCESS_KEY'])`, ['read AWS_SECRET_ACCESS_KEY', 'read env:get AWS_SECRET_ACCESS_KEY']],
    [`import os; os.getenv('TOKEN', 'x')`, ['read TOKEN']],
    ['import os; dict(os.environ)', ['read *']],
    ['import os; [print(k, v) for k, v in os.environ.items()]', ['read *', 'read env:list *']],
    [`import os; os.environ['LD_PRELOAD'] = '/tmp/x.so'`, ['change env:inject LD_PRELOAD']],
    [`import os; os.putenv('LD_PRELOAD', 'x')`, ['change env:inject LD_PRELOAD']],
    [`import os; os.environ.update({'LD_PRELOAD': 'x'}, BASH_ENV='y')`, ['change env:inject BASH_ENV', 'change env:inject LD_PRELOAD']],
    [`import os; os.environ['PATH'] = '/tmp/x:/usr/bin'`, ['change env:inject PATH']],
    [`import os; os.environ['PATH'] = '/opt/x/bin:/usr/bin'`, []],
    [`import os; os.environ['PYTHONPATH'] = 'src'`, []],
    [`from os import environ; environ.get('API_KEY')`, ['read API_KEY']],
  ] as const)
    test(code, () => expect(summary('python', code)).toEqual(expected))
})
