import { describeUrl } from '../url/index.ts'

/**
 * Variables that name the server of a service: models that agents think with, clouds, package registries, proxies. Whoever
 * sets one reads what is sent there, keys included, or chooses what is installed.
 */

interface Service {
  /** For a reader: `model requests`. */
  readonly name: string
  readonly variables: RegExp
  /** Domains that are the service itself or a known provider of it; what lies below counts too. */
  readonly own: readonly string[]
}

const domains = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(' '))

/** Companies whose names begin such variables. */
const MODELS =
  'ANTHROPIC|CLAUDE(?:_CODE)?|OPENAI|AZURE_OPENAI|GOOGLE_GEMINI|GEMINI|GOOGLE_VERTEX|VERTEX|MISTRAL|COHERE|CO|GROQ|' +
  'DEEPSEEK|OPENROUTER|TOGETHER|FIREWORKS|XAI|PERPLEXITY|REPLICATE|LITELLM|OLLAMA|LANGCHAIN|LANGSMITH|LANGFUSE|CODEX|' +
  'CURSOR|COPILOT|BEDROCK|DASHSCOPE|MOONSHOT|ZHIPU|VOYAGE|CEREBRAS|SAMBANOVA|NVIDIA|HUGGINGFACE|HF|TOGETHER_AI'

const SERVICES: readonly Service[] = [
  {
    name: 'model requests',
    variables: new RegExp(
      `^(?:${MODELS})_(?:(?:INFERENCE_)?(?:API_)?(?:BASE_)?(?:URL|URI|BASE|ENDPOINT|HOST)|API_BASE_URL|BEDROCK_BASE_URL|VERTEX_BASE_URL|PROXY_URL|API_URL)$`,
    ),
    own: domains(
      'anthropic.com claude.ai openai.com openai.azure.com azure.com googleapis.com google.com mistral.ai cohere.com cohere.ai groq.com',
      'deepseek.com openrouter.ai together.ai together.xyz fireworks.ai x.ai perplexity.ai replicate.com huggingface.co hf.co hf.space',
      'amazonaws.com cloudflare.com aliyuncs.com moonshot.cn moonshot.ai bigmodel.cn z.ai voyageai.com cerebras.ai sambanova.ai',
      'nvidia.com githubcopilot.com github.com cursor.com cursor.sh langchain.com langfuse.com ollama.com smith.langchain.com',
    ),
  },
  {
    name: 'requests to a cloud',
    variables: /^(?:AWS_ENDPOINT_URL(?:_\w+)?|CLOUDSDK_API_ENDPOINT_OVERRIDES_\w+|ARM_ENDPOINT|GOOGLE_API_ENDPOINT)$/,
    own: domains(
      'amazonaws.com amazonaws.com.cn api.aws googleapis.com azure.com windows.net cloudflarestorage.com digitaloceanspaces.com',
    ),
  },
  {
    name: 'the package manager',
    variables: new RegExp(
      String.raw`^(?:npm_config_(?:\w+_)?registry|NPM_CONFIG_(?:\w+_)?REGISTRY|YARN_(?:NPM_)?REGISTRY(?:_SERVER)?|BUN_CONFIG_REGISTRY` +
        String.raw`|PIP_(?:EXTRA_)?INDEX_URL|PIP_FIND_LINKS|UV_(?:EXTRA_|DEFAULT_)?INDEX(?:_URL)?|UV_FIND_LINKS|PDM_PYPI_URL` +
        String.raw`|POETRY_REPOSITORIES_\w+_URL|GOPROXY|GOSUMDB|CARGO_REGISTRIES_\w+_INDEX|CARGO_REGISTRY_INDEX|CARGO_SOURCE_\w+_REGISTRY` +
        String.raw`|RUSTUP_(?:DIST_SERVER|UPDATE_ROOT)|RUBYGEMS_HOST|BUNDLE_MIRROR__\w+|NUGET_SOURCE` +
        String.raw`|HOMEBREW_(?:BOTTLE_DOMAIN|API_DOMAIN|ARTIFACT_DOMAIN|BREW_GIT_REMOTE|CORE_GIT_REMOTE)|PUB_HOSTED_URL` +
        String.raw`|FLUTTER_STORAGE_BASE_URL|CONDA_CHANNEL_ALIAS|JSR_URL|DENO_REGISTRY|HEX_MIRROR|COMPOSER_REPO_PACKAGIST|ELECTRON_MIRROR` +
        String.raw`|SASS_BINARY_SITE|NVM_NODEJS_ORG_MIRROR|(?:PLAYWRIGHT|PUPPETEER|CYPRESS)_DOWNLOAD_(?:HOST|BASE_URL|MIRROR))$`,
    ),
    own: domains(
      'npmjs.org npmjs.com yarnpkg.com jsr.io npm.pkg.github.com pypi.org pythonhosted.org pytorch.org nvidia.com golang.org goproxy.io',
      'crates.io rust-lang.org rubygems.org nuget.org brew.sh ghcr.io github.com githubusercontent.com pub.dev googleapis.com anaconda.org',
      'anaconda.com hex.pm packagist.org nodejs.org playwright.dev cdn.cypress.io pkg.dev gitlab.com microsoft.com luarocks.org',
      'haskell.org ocaml.org cpan.org metacpan.org r-project.org posit.co rstudio.com bioconductor.org maven.org apache.org sonatype.org',
      'jitpack.io google.com julialang.org conda-forge.org prefix.dev dart.dev debian.org ubuntu.com alpinelinux.org archlinux.org',
    ),
  },
  {
    name: 'the build tool',
    variables: /^BUILD_TOOL_DISTRIBUTION_URL$/,
    own: domains('gradle.org apache.org maven.org github.com githubusercontent.com'),
  },
  {
    name: 'the cache of builds',
    variables:
      /^(?:TURBO_(?:API|LOGIN)|NX_CLOUD_API|NX_SELF_HOSTED_REMOTE_CACHE_SERVER|SCCACHE_(?:ENDPOINT|WEBDAV_ENDPOINT)|CCACHE_REMOTE_STORAGE)$/,
    own: domains('vercel.com nx.app'),
  },
  { name: 'web requests', variables: /^(?:https?_proxy|all_proxy|npm_config_(?:https?_)?proxy)$/i, own: [] },
]

/** Where the variable would lead a service that is not its own; null where it leads nowhere, here, or to the service itself. */
export function leadsAway(name: string, value: string): { readonly service: string; readonly address: string } | null {
  const service = SERVICES.find(({ variables }) => variables.test(name))
  if (service === undefined) return null
  const address = value.split(/[\s,|]+/).find((each) => isElsewhere(each, service))
  return address === undefined ? null : { service: service.name, address }
}

/** An address with a scheme or a dot in it: names without one are those of containers and of this network. */
function isElsewhere(address: string, service: Service): boolean {
  const bare = address.replace(/^(?:sparse|git|registry)\+/, '')
  if (!/^[a-z][a-z0-9+.-]*:\/\/\S/i.test(bare) && !/^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/|$)/.test(bare)) return false
  const { host, scope } = describeUrl(bare)
  if (host === null || scope === 'loopback' || scope === 'unknown' || !/[.:]/.test(host)) return false
  return host !== '0.0.0.0' && !service.own.some((domain) => host === domain || host.endsWith(`.${domain}`))
}

/** Hosts where anybody may put files, beside what registries of languages keep there. */
const SHARED = /(?:^|\.)(?:github\.com|githubusercontent\.com|gitlab\.com|googleapis\.com|google\.com|pkg\.dev|jitpack\.io|microsoft\.com)$/

/** Whether the value is the name or the address of the registry that everybody asks. */
export function isOwnRegistry(value: string): boolean {
  if (OWN_NAME.test(value)) return true
  const { host, scope } = describeUrl(value)
  return (
    value.startsWith('https://') &&
    host !== null &&
    scope === 'public' &&
    !SHARED.test(host) &&
    leadsAway('npm_config_registry', value) === null
  )
}

const OWN_NAME = new RegExp(
  String.raw`^(?:conan-?center|crates-?io|nuget(?:\.org)?|npm(?:js)?|pypi|rubygems|hex(?:pm)?|defaults?|main|stable|nightly|beta|winget` +
    '|msstore|chocolatey|flathub|conda-forge|bioconda|pytorch|nvidia|anaconda)$',
  'i',
)
