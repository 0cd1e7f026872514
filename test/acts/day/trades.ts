import { type Call, type Files, listsIn, type Row } from '../../projects/harness.ts'

/** What the trades work on, and how their calls are listed. */

export const FILES: Files = {
  'package.json': '{"name":"shop","dependencies":{"astro":"5.0.0"}}',
  'src/icons/cart.svg': '<svg/>',
  'app/models.py': 'class Order:\n    pass\n',
  gradlew: '#!/bin/sh\nexec java -jar gradle/wrapper/gradle-wrapper.jar "$@"\n',
  'settings.gradle.kts': 'include(":app")\n',
  'app/build.gradle.kts': 'plugins { id("com.android.application") }\n',
  'fastlane/Fastfile': 'lane :beta do\nend\n',
  'notebooks/churn.ipynb':
    '{"cells":[{"cell_type":"code","source":["import pandas as pd\\n","pd.read_csv(\'../data/churn.csv\').describe()"]}],"nbformat":4,"nbformat_minor":5,"metadata":{}}',
  'data/churn.csv': 'id,region,churned\n1,eu,0\n',
  'data/customers.csv': 'id,name,mail\n1,Ann,ann@acme.example\n',
  Dockerfile: 'FROM node:22\nCOPY . .\n',
  'infra/main.tf': 'resource "null_resource" "a" {}\n',
  'solver/Makefile': 'all:\n\tgcc -O2 -o solve solve.c\n',
  'solver/solve.c': 'int main(){return 0;}\n',
  'src/app.py': 'print(1)\n',
  'rules/webshell.yar': 'rule a { strings: $a = "x" condition: $a }\n',
  'samples/a.php': '<?php echo 1;\n',
  'mkdocs.yml': 'site_name: Shop\n',
  'manual.md': '# Manual\n',
  'mockups/home.png': 'x',
  'logo.svg': '<svg/>',
  'books/2026.journal': '2026-01-01 * rent\n  expenses:rent  900\n  assets:bank\n',
  'books/bank.csv': 'date,amount\n2026-01-01,-900\n',
  'export/tickets.json': '{"tickets":[{"id":1,"subject":"a"}]}',
  'leads/raw.csv': 'mail\na@x.example\n',
  'leads/all.csv': 'Id\n00Q1\n',
  'scripts/anonymise.py':
    "import csv, hashlib, sys\nwith open(sys.argv[1]) as f, open(sys.argv[3], 'w') as g:\n    out = csv.writer(g)\n    for row in csv.reader(f):\n        out.writerow([hashlib.sha256(row[0].encode()).hexdigest()[:8], *row[1:]])\n",
  'hr/survey.csv': 'name,score\nann,4\n',
  'porch.yaml': 'esphome:\n  name: porch\n',
  'raw/talk.mov': 'x',
  'raw/intro.wav': 'x',
  'photos/a.jpg': 'x',
  'data/m31.fits': 'x',
  'theme/layout/theme.liquid': '<html></html>',
  'feed/products.csv': 'sku,price\nA1,20\n',
  'source/ps1/ps1.ipynb': '{"cells":[],"nbformat":4,"nbformat_minor":5,"metadata":{}}',
  'contracts/nda.pdf': 'x',
  'contracts/v1.md': 'a\n',
  'contracts/v2.md': 'b\n',
  'contracts/settlement.pdf': 'x',
}

export type Labelled = readonly [label: 'runs' | 'asks', row: Row, reason: string]

/** Tests of a trade, each with the reason of its label; `missed` are rows that do not hold yet, by how they begin. */
export function tradesIn(files: Files, missed: readonly string[]): (name: string, rows: readonly Labelled[]) => void {
  const all = listsIn(files, missed)
  return (name, rows) => {
    for (const [label, row] of rows) all(name, label, [row])
  }
}

export const write = (path: string, content: string): Call => ({ tool: 'Write', args: { file_path: `/home/dev/shop/${path}`, content } })

/** A program that reads its code from a heredoc. */
export function heredoc(program: string): (code: string) => Call {
  return (code) => ({ tool: 'Bash', args: { command: `${program} <<'EOF'\n${code}\nEOF` } })
}
export const python = heredoc('python3 -')
export const node = heredoc('node --input-type=module -')
