/**
 * Names of packages that imitate a well-known one by a single slip of the keyboard: one letter more, fewer, other, or two
 * that changed places (typosquatting). What is itself well known imitates nobody.
 */

const names = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(' '))

/** Packages that are installed everywhere, of npm, PyPI, crates.io and RubyGems, and real ones whose names lie beside them. */
const KNOWN: ReadonlySet<string> = new Set(
  names(
    // npm
    'react react-dom preact express expresso lodash lodash-es underscore webpack webpack-cli typescript eslint tslint jslint prettier requests request',
    'axios moment momentjs commander inquirer enquirer bluebird async-lock winston mongoose mongodb sequelize passport',
    'bcrypt bcryptjs dotenv nodemon nodemailer cross-env cross-spawn jsonwebtoken body-parser cookie-parser cookies cookie colors color',
    'minimist mkdirp rimraf glob-parent fs-extra node-fetch puppeteer playwright cypress vitest jest-cli mocha-cli rollup esbuild postcss',
    'autoprefixer tailwindcss next-auth nuxt svelte angular jquery jquery-ui bootstrap socket.io socket.io-client redux react-redux',
    'react-router react-router-dom styled-components graphql graphile apollo-server prisma drizzle-orm discord.js discordjs telegraf ethers',
    'electron electron-builder husky lint-staged concurrently npm-run-all turbo lerna storybook babel-loader css-loader style-loader',
    'file-loader ts-node ts-loader fastify fastify-cli helmet morgan multer formidable validator validate uuid nanoid date-fns dayjs luxon',
    'chokidar anymatch micromatch semver debug ansi-styles ansi-regex strip-ansi string-width yargs-parser event-stream ua-parser-js',
    // PyPI
    'numpy pandas scipy matplotlib scikit-learn scikit-image tensorflow tensorboard pytorch torchvision torchaudio keras transformers',
    'datasets tokenizers accelerate langchain langgraph openai anthropic httpx aiohttp urllib urllib2 urllib3 beautifulsoup beautifulsoup4',
    'selenium django flask fastapi uvicorn gunicorn starlette pydantic sqlalchemy alembic psycopg psycopg2 psycopg2-binary pymysql pymongo',
    'mysqlclient celery kombu jinja2 markupsafe werkzeug python-dateutil dateutils pytz pyyaml ruamel.yaml cryptography cryptograph',
    'pycryptodome paramiko fabric ansible boto3 botocore pytest pytest-cov mypy pylint flake8 autopep8 poetry setuptools virtualenv',
    'pipenv wheel twine certifi chardet charset-normalizer colorama tqdm pillow opencv-python imageio seaborn plotly streamlit gradio',
    'jupyter jupyterlab notebook ipython nltk gensim networkx requests-oauthlib python-dotenv sentry-sdk protobuf grpcio pyarrow polars',
    'python validators cchardet pyaml grequests dataset tokenizer unicorn prism',
    // crates.io, RubyGems
    'tokio-util reqwest serde_json serde_yaml rand_core anyhow thiserror clap_derive tracing hyper-util actix-web rust_decimal rails-html',
    'bundler nokogiri sidekiq devise puma rspec rubocop activerecord activesupport sinatra rest-client strong_password',
  ),
)

/** Publishers of npm: the part before the slash. */
const SCOPES: ReadonlySet<string> = new Set(
  names(
    'anthropic anthropic-ai modelcontextprotocol openai angular babel types aws-sdk google-cloud azure microsoft vercel sentry nestjs',
    'storybook testing-library typescript-eslint tanstack radix-ui prisma supabase cloudflare octokit playwright sveltejs vitejs vitest',
    'reduxjs emotion chakra-ui apollo graphql-codegen langchain huggingface stripe shopify react-native react-navigation fortawesome',
    'tailwindcss opentelemetry firebase eslint jest rollup webassemblyjs swc biomejs changesets headlessui hookform mantine',
  ),
)

/** Shorter names lie too close to each other to say anything. */
const SHORTEST = 6
const LONGEST = 40

/** The well-known package or scope that the name imitates, or null. `name` is without its version: `@scope/name` or `name`. */
export function imitatedPackage(name: string): string | null {
  const lower = name.toLowerCase()
  const slash = lower.startsWith('@') ? lower.indexOf('/') : -1
  if (slash > 0) {
    const scope = neighbour(lower.slice(1, slash), SCOPES)
    return scope === null ? null : `@${scope}`
  }
  return /^[a-z0-9][a-z0-9._-]*$/.test(lower) ? neighbour(lower.replaceAll('_', '-'), KNOWN) : null
}

function neighbour(name: string, known: ReadonlySet<string>): string | null {
  if (name.length < SHORTEST - 1 || name.length > LONGEST || known.has(name) || known.has(name.replaceAll('-', '_'))) return null
  for (const each of known) if (each.length >= SHORTEST && isOneSlip(name, each.replaceAll('_', '-'))) return each
  return null
}

/** True where the texts differ by one letter put in, left out or replaced, or by two neighbours that changed places. */
function isOneSlip(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
  const left = a.slice(start, a.length - end)
  const right = b.slice(start, b.length - end)
  if (left.length <= 1 && right.length <= 1) return left !== right
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}
