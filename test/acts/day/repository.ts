import type { Files } from '../../projects/harness.ts'

/** A repository of a web shop with services in four languages, as coding agents find it. */
export const REPOSITORY: Files = {
  'package.json':
    '{"name":"shop","scripts":{"dev":"next dev","build":"next build","test":"vitest run","lint":"eslint .","typecheck":"tsc --noEmit","db:seed":"tsx prisma/seed.ts","db:push":"prisma db push","e2e":"playwright test","format":"prettier --write .","storybook":"storybook dev -p 6006"},"dependencies":{"next":"14","prisma":"5"}}',
  'pnpm-lock.yaml': 'lockfileVersion: 9\n',
  'tsconfig.json': '{}',
  'src/cart.ts': 'export const cart = 1\n',
  'src/cart.test.ts': "import {test} from 'vitest'\ntest('x',()=>{})\n",
  'prisma/schema.prisma': 'datasource db { provider = "postgresql" url = env("DATABASE_URL") }\n',
  'prisma/seed.ts': "import {PrismaClient} from '@prisma/client'\nconst p=new PrismaClient()\nawait p.user.create({data:{name:'a'}})\n",
  'docker-compose.yml':
    'services:\n  db:\n    image: postgres:16\n    ports: ["5432:5432"]\n    environment: { POSTGRES_PASSWORD: dev }\n  redis:\n    image: redis:7\n',
  'services/api/pyproject.toml': '[project]\nname="api"\n[tool.pytest.ini_options]\n',
  'services/api/app/main.py': 'from fastapi import FastAPI\napp=FastAPI()\n',
  'services/api/tests/test_main.py': 'def test_a():\n    assert 1\n',
  'services/api/requirements.txt': 'fastapi==0.110\n',
  'services/api/alembic.ini': '[alembic]\nscript_location = alembic\nsqlalchemy.url = postgresql://localhost/shop\n',
  'tools/gen/main.go': 'package main\nfunc main(){}\n',
  'go.mod': 'module acme/shop\n',
  Makefile: 'build:\n	go build ./...\n\ntest:\n	go test ./...\n\nclean:\n	rm -rf bin dist\n',
  '.env.example': 'DATABASE_URL=postgres://localhost/shop\n',
  '.github/workflows/ci.yml': 'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: pnpm test\n',
  'README.md': '# shop\n',
  'crates/core/Cargo.toml': '[package]\nname="core"\nversion="0.1.0"\n',
  'crates/core/src/lib.rs': 'pub fn a(){}\n',
  'Cargo.toml': '[workspace]\nmembers=["crates/core"]\n',
  'scripts/release.sh': '#!/bin/sh\nset -e\npnpm build\ngit tag "v$1"\n',
  'infra/main.tf': 'resource "null_resource" "a" {}\n',
  'notebooks/eda.ipynb': '{"cells":[],"nbformat":4,"nbformat_minor":5,"metadata":{}}',
  'data/orders.csv': 'id,total\n1,2\n',
}

/** Secrets of its owner beside it. */
export const SECRETS: Files = {
  '.env': 'DATABASE_URL=postgres://u:p@db.prod.acme.example/shop\nSTRIPE_KEY=sk_live_x\n',
  '~/.ssh/id_ed25519': 'k',
  '~/.npmrc': '//registry.npmjs.org/:_authToken=npm_x\n',
}
