/** Verbs by what they say, in names of tools and among the words of programs. */
export type Act = 'read' | 'send' | 'delete' | 'change' | 'create' | 'pay' | 'publish' | 'execute' | 'persist' | 'grant' | 'fetch'

const ACTS: Readonly<Record<Act, string>> = {
  read:
    'get list search find read view show describe fetch lookup look check count query retrieve browse ' +
    'inspect summarize summarise analyze analyse calculate compute estimate compare validate verify ' +
    'preview explain display load scan track monitor watch detect convert translate parse format think ' +
    'cat head tail grep ls cd wc sort diff stat du pwd echo mean help status ask answer classify extract ' +
    'recommend suggest predict review observe reflect decompile disassemble introspect locate identify discover enumerate measure poll peek ' +
    'consult determine assess simulate',
  send:
    'send email mail message reply forward notify tweet retweet post share invite upload broadcast dm sms ' +
    'submit comment mention contact call text notice fax page blast transmit relay dial ring syndicate ' +
    'disseminate leak disclose divulge',
  delete:
    'delete remove rm destroy drop purge erase wipe truncate clear uninstall cancel terminate prune empty ' +
    'trash shred rmdir unlink deprovision revert discard void deallocate decommission expunge expel evict ' +
    'abolish annul nullify forfeit demolish annihilate obliterate eradicate exterminate raze nuke zap ' +
    'scrap jettison ditch liquidate offboard unenroll unregister deregister delist depublish unpublish ' +
    'overwrite reimage zeroize euthanize rescind repeal retire disband',
  change:
    'update edit modify set change write append insert put patch rename move mv replace enable disable ' +
    'assign configure approve merge close resolve toggle mark archive restore reset reschedule adjust ' +
    'tune control lock start stop press save store sync apply manage turn mute silence operate navigate ' +
    'drive kill return exchange deactivate suspend ban unban block unblock kick demote scale rollback ' +
    'reject decline accept sign reboot restart deprecate blacklist blocklist denylist complete finish ' +
    'unpin bookmark snooze dismiss acknowledge ack follow unfollow unlike unstar upvote downvote react',
  create:
    'create add new make generate book reserve register open touch mkdir cp copy clone init upload record ' +
    'provision fork draft duplicate',
  pay:
    'pay transfer purchase buy charge refund withdraw deposit invest trade checkout tip donate wire remit ' +
    'payout sell swap bid fund order place transact redeem disburse reimburse debit settle remunerate ' +
    'stake unstake airdrop repay wager escrow',
  publish: 'publish deploy release push launch promote rollout',
  execute:
    'execute exec run eval evaluate invoke spawn shell terminal bash command launch compile build install ' +
    'trigger dispatch rerun retry',
  persist: 'schedule cron autostart automate subscribe daemonize',
  grant:
    'grant unlock share authorize authorise permit impersonate elevate revoke allow whitelist allowlist ' +
    'empower entitle deputize declassify unmask deanonymize expose reassign relinquish cede',
  fetch: 'download crawl scrape request http ping curl wget navigate visit resolve probe connect goto webhook',
}

/** Words that are verbs in one name and nouns in the next: they count only at the start or where no other verb is. */
export const AMBIGUOUS: ReadonlySet<string> = new Set(
  [
    'email mail message post comment call text share order transfer trade schedule book record lock draft command',
    'shell terminal bash request release check query search view status track store set archive control fund sell',
    'contact tip wire answer help http webhook sms dm tweet mention save invite open close start stop new empty',
    'review clear build fork head tail sort load cat stat mean page notice fax ring relay dial leak stake debit escrow scrap',
  ].flatMap((line) => line.split(' ')),
)

export const ACT_OF: ReadonlyMap<string, Act> = new Map(
  (Object.keys(ACTS) as Act[]).reverse().flatMap((act) => ACTS[act].split(' ').map((word) => [word, act] as const)),
)
