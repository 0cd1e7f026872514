import type { CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { reachUrl } from '../../resources/acts.ts'
import { develops } from '../development/develop.ts'
import { BUILDS, installs, LISTS } from '../packages/packages.ts'
import { type Act, byName, does, each, known, list, nameOf, takes, tool } from '../tool.ts'

/**
 * Money and ledgers: wallets, payment providers, smart contract tools.
 * Actions: pay:transfer, pay:refund, pay:charge (verb pay) · chain:call, chain:deploy · pay:read · pay:change.
 */

const PAY: Pick<Act, 'verb' | 'kind' | 'reversible'> = { verb: 'pay', kind: 'account', reversible: false }
/** A payment to the operand at `at`, of the operand at `amount`. */
function transfer(at: number, amount: number, spec: CommandSpec = {}): CommandSpec {
  return {
    flags: list('--yes -y --allow-unfunded-recipient --broadcast --json'),
    ...spec,
    operands: ['data'],
    refine: (parsed, context) => {
      const to = parsed.value('--to', '--recipient', '--destination') ?? parsed.operands[at]
      const much: Word | undefined = parsed.value('--value', '--amount') ?? parsed.operands[amount]
      context.emit('pay', context.thing('account', to === undefined ? 'unknown' : nameOf(to)), {
        action: 'pay:transfer',
        reversible: false,
        attributes: { amount: known(much), network: known(networkOf(parsed)) },
      })
    },
  }
}

function networkOf(parsed: ParsedCommand): Word | null {
  return parsed.value('--network', '--rpc-url', '-r', '--chain', '--url', '-u', '--cluster', '--provider.cluster')
}

const NETWORK = takes(
  '--network --rpc-url -r --chain --chain-id --url -u --cluster --provider.cluster --private-key --from --keystore ' +
    '--account --ledger --value --amount --to --gas-limit --gas-price --nonce --password --mnemonic --fee-payer --keypair ' +
    '-k',
)

const READS = does({ verb: 'fetch', action: 'pay:read', kind: 'resource', value: 'ledger' }, { operands: ['data'], options: NETWORK })
const SIGNS = does(
  {
    verb: 'change',
    action: 'chain:call',
    kind: 'resource',
    from: 0,
    value: 'contract',
    reversible: false,
    values: { network: list('--network --rpc-url') },
  },
  { options: NETWORK },
)
const DEPLOYS = does(
  {
    verb: 'publish',
    action: 'chain:deploy',
    kind: 'resource',
    at: 0,
    value: 'contract',
    reversible: false,
    values: { network: list('--network --rpc-url -u --url --provider.cluster') },
  },
  { options: NETWORK, flags: list('--verify --legacy --resume -vvvv --skip-dry-run --reset') },
)
const KEYS = does({ verb: 'read', action: 'secret:read', kind: 'resource', value: 'wallet key' }, { operands: ['data'], options: NETWORK })
const TEST = develops({
  action: 'dev:test',
  operands: 'data',
  flags: '-vvv -vvvv --gas-report --skip-build',
  valued: '--match-test --match-contract --match-path --network --fork-url --grep',
})
const BUILD = develops({
  action: 'dev:build',
  operands: 'data',
  flags: '--force --sizes --optimize',
  valued: '--root --contracts --network',
})

const cast = tool('chain', {
  subcommands: byName({
    send: transfer(0, -1, { options: NETWORK }),
    'publish mktx': SIGNS,
    'call balance block tx receipt logs code storage nonce gas-price chain-id estimate rpc resolve-name lookup-address run age': READS,
    wallet: {
      subcommands: byName({
        'list address verify vanity': READS,
        'new import remove': BUILDS,
        'private-key decrypt-keystore': KEYS,
        'sign sign-auth': SIGNS,
      }),
    },
  }),
  operands: ['data'],
  refine: (_, context) => context.emit('execute', context.thing('program', 'cast'), { action: 'dev:run' }),
})

const forge = tool('chain', {
  subcommands: byName({
    'build b compile clean doc flatten inspect snapshot coverage remappings bind config fmt geiger init selectors tree cache soldeer lint':
      BUILD,
    'test t': TEST,
    'install i': installs({ manager: 'forge', manifest: 'foundry.toml', slashIsGit: true }, { flags: ['--no-commit', '--no-git'] }),
    'update u': installs({ manager: 'forge', manifest: 'foundry.toml', verb: 'upgrade' }),
    'create c': DEPLOYS,
    script: {
      flags: list('--broadcast --verify --resume --legacy -vvvv --slow --ffi'),
      options: { ...NETWORK, ...takes('--sig -s --tc --fork-url -f') },
      refine: (parsed, context) => {
        const deploys = parsed.flag('--broadcast', '--resume')
        if (deploys) DEPLOYS.refine?.(parsed, context)
        else
          context.emit('execute', context.thing('script', nameOf(parsed.operands[0] ?? parsed.invocation.program)), { action: 'dev:run' })
      },
    },
    'verify-contract verify-bytecode': does(
      { verb: 'send', action: 'chain:verify', kind: 'resource', at: 0, value: 'contract' },
      { options: NETWORK },
    ),
  }),
})

/** Hardhat, Truffle and the like: a named network is a real one. */
const framework = tool('chain', {
  options: NETWORK,
  subcommands: byName({
    'compile build clean flatten size-contracts init help check idl keys new expand': BUILD,
    'test coverage': TEST,
    'node develop localnet': develops({ action: 'dev:serve', operands: 'data' }),
    'accounts config list': LISTS,
    'run console exec script shell': {
      options: NETWORK,
      operands: ['data'],
      refine: (parsed, context) => {
        const network = networkOf(parsed)
        if (network !== null && !/^(?:hardhat|localhost|development|localnet|local)$/.test(network.text ?? ''))
          SIGNS.refine?.(parsed, context)
        else
          context.emit('execute', context.thing('script', nameOf(parsed.operands[0] ?? parsed.invocation.program)), { action: 'dev:run' })
      },
    },
    'deploy migrate upgrade ignition publish': DEPLOYS,
    verify: does({ verb: 'send', action: 'chain:verify', kind: 'resource', at: 0, value: 'contract' }, { options: NETWORK }),
  }),
  operands: ['data'],
  refine: (parsed, context) =>
    context.emit('execute', context.thing('script', nameOf(parsed.operands[0] ?? parsed.invocation.program)), { action: 'dev:task' }),
})

const solana = tool('chain', {
  options: NETWORK,
  subcommands: byName({
    'transfer pay': transfer(0, 1, { options: NETWORK }),
    'balance account block cluster-version epoch-info gossip supply validators transaction-history confirm rent stakes address ping logs slot':
      READS,
    airdrop: does({ verb: 'change', action: 'pay:change', kind: 'account', at: 1, value: 'self' }),
    program: {
      subcommands: byName({
        'deploy upgrade write-buffer extend': DEPLOYS,
        close: { ...DEPLOYS, ...does({ verb: 'delete', action: 'chain:call', kind: 'resource', at: 0, value: 'program' }) },
        'show dump': READS,
      }),
    },
    config: {
      subcommands: {
        get: LISTS,
        set: does({ verb: 'change', action: 'tool:config', kind: 'program', value: 'solana' }, { options: NETWORK }),
      },
    },
    'stake vote delegate-stake withdraw-stake withdraw-from-vote-account create-stake-account': transfer(1, 2, { options: NETWORK }),
  }),
})

/** Wallet daemons: one word, JSON-RPC underneath. */
const wallet = tool('chain', {
  flags: list('-testnet -regtest -signet -named -stdin'),
  options: takes('-rpcuser -rpcpassword -rpcconnect -rpcport -rpcwallet -datadir -conf -chain --rpcserver --macaroonpath --network'),
  singleDashLong: true,
  subcommands: byName({
    'sendtoaddress send transfer transfer_original sweep_all': transfer(0, 1),
    'sendmany sendall sendrawtransaction sendcoins payinvoice sendpayment pay keysend withdraw fundchannel openchannel bumpfee': transfer(
      0,
      1,
    ),
    'dumpprivkey dumpwallet listdescriptors backupwallet gethdkeys': KEYS,
    ...each(
      'getbalance getinfo getblockchaininfo getblockcount getnetworkinfo listtransactions listunspent getwalletinfo getblock ' +
        'getrawtransaction getnewaddress walletbalance listchannels listpays estimatesmartfee getmempoolinfo channelbalance',
      READS,
    ),
    'importprivkey importdescriptors encryptwallet walletpassphrase createwallet loadwallet unloadwallet stop': does(
      { verb: 'change', action: 'pay:change', kind: 'account', value: 'wallet' },
      { operands: ['data'] },
    ),
  }),
})

/** Payment providers: the resource and what is done to it. */
const stripe = tool('pay', {
  flags: list('--live --confirm -c'),
  options: takes(
    '--api-key -d --data --amount --currency --project-name -p --limit --expand --charge --payment-intent --customer --destination --stripe-account --reason',
  ),
  subcommands: byName({
    refunds: {
      subcommands: byName({
        create: does({
          ...PAY,
          action: 'pay:refund',
          option: ['--charge', '--payment-intent'],
          value: 'customer',
          values: { amount: ['--amount'] },
          flags: { live: ['--live'] },
        }),
        'list retrieve': READS,
      }),
    },
    'charges payment_intents transfers payouts topups invoices subscriptions checkout payment_links': {
      subcommands: byName({
        'create confirm capture pay finalize_invoice': does({
          ...PAY,
          action: 'pay:charge',
          option: ['--destination', '--customer'],
          value: 'account',
          values: { amount: ['--amount'], currency: ['--currency'] },
          flags: { live: ['--live'] },
        }),
        'list retrieve search': READS,
        'update cancel void_invoice delete reverse': does({
          verb: 'change',
          action: 'pay:change',
          kind: 'resource',
          at: 0,
          value: 'payment',
          reversible: false,
        }),
      }),
    },
    'customers products prices coupons plans webhook_endpoints accounts balance events disputes': {
      subcommands: byName({
        'list retrieve search': READS,
        'create update': does({ verb: 'change', action: 'pay:change', kind: 'resource', at: 0, value: 'resource' }),
        'delete close': does({ verb: 'delete', action: 'pay:change', kind: 'resource', at: 0, value: 'resource' }),
      }),
    },
    config: does(
      { verb: 'read', action: 'secret:read', kind: 'resource', value: 'stripe', when: (parsed) => parsed.flag('--list') },
      { flags: ['--list', '-e', '--edit'], options: takes('--set --unset --project-name') },
    ),
    'get logs status open resources version': READS,
    'post delete': does({ verb: 'pay', action: 'pay:request', kind: 'resource', at: 0, value: 'api', reversible: false }),
    'listen serve samples fixtures': develops({ action: 'dev:serve', operands: 'data', valued: '--forward-to -f --events -e' }),
    trigger: does({ verb: 'change', action: 'pay:change', kind: 'resource', at: 0, value: 'event' }),
    login: does({ verb: 'change', action: 'tool:auth', kind: 'account', value: 'stripe' }),
  }),
})

/** Node clients that reach a network; what they do there is said by their console. */
const chainNode: CommandSpec = {
  options: takes('--datadir --network --rpc-url --exec --preload --http.port --http.addr --port'),
  inert: ['--help', '-h', '--version'],
  operands: ['data'],
  refine: (parsed, context) => {
    const code = parsed.value('--exec')
    if (code !== null) context.code('node', code.text, code.span)
    for (const word of parsed.operands) if (word.prefix.includes('://')) reachUrl(context, word, { verb: 'send', action: 'chain:call' })
    context.emit('execute', context.thing('program', parsed.invocation.name), { action: 'dev:serve' })
  },
}

export const ledgers: CommandTable = byName({
  cast,
  forge,
  'anvil ganache ganache-cli geth reth erigon parity solana-test-validator': chainNode,
  'hardhat truffle brownie ape anchor dfx near starkli sncast aptos sui': framework,
  solana,
  'bitcoin-cli litecoin-cli dogecoin-cli lncli lightning-cli monero-wallet-cli electrum zcash-cli': wallet,
  stripe,
  'spl-token': tool('chain', {
    options: NETWORK,
    subcommands: byName({
      transfer: transfer(2, 1, { options: NETWORK }),
      'balance accounts supply display': READS,
      'mint burn create-token create-account approve revoke close authorize': SIGNS,
    }),
  }),
})
