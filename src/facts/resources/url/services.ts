/** Public services that data leaves by or code comes from, as a table: what a host is for. */
import { below } from './names.ts'

/** What a well-known host is for. */
export type HostKind =
  | 'paste'
  | 'file-sharing'
  | 'webhook-catcher'
  | 'message-webhook'
  | 'tunnel'
  | 'shortener'
  | 'dns-over-https'
  | 'code-host'
  | 'package-registry'

const TABLE: Readonly<Record<HostKind, readonly string[]>> = {
  paste: [
    ...'pastebin.com paste.ee hastebin.com dpaste.com dpaste.org ix.io termbin.com paste.rs rentry.co rentry.org'.split(' '),
    ...'ghostbin.com ghostbin.me privatebin.net controlc.com sprunge.us clbin.com paste.debian.net pastes.io justpaste.it'.split(' '),
    ...'p.ip.fi bpa.st paste.mozilla.org paste.centos.org textbin.net zerobin.net cl1p.net 0bin.net write.as telegra.ph'.split(' '),
  ],
  'file-sharing': [
    ...'transfer.sh file.io 0x0.st anonfiles.com bashupload.com catbox.moe litterbox.catbox.moe gofile.io wetransfer.com'.split(' '),
    ...'we.tl mega.nz mediafire.com sendspace.com uguu.se temp.sh oshi.at pixeldrain.com filebin.net keep.sh send.vis.ee'.split(' '),
    ...'tmpfiles.org ufile.io filetransfer.io limewire.com envs.sh ttm.sh x0.at free.keep.sh storj.io put.re qu.ax'.split(' '),
  ],
  'webhook-catcher': [
    ...'webhook.site requestbin.com requestbin.net requestcatcher.com pipedream.net hookbin.com beeceptor.com webhookrelay.com'.split(' '),
    ...'ptsv2.com ptsv3.com postb.in requestrepo.com typedwebhook.tools hookdeck.com smee.io mockbin.org webhook.cool'.split(' '),
    ...['interact.sh', 'oast.pro', 'oast.live', 'oast.site', 'oast.online', 'oast.fun', 'oast.me', 'oastify.com', 'burpcollaborator.net'],
    ...['dnslog.cn', 'ceye.io', 'canarytokens.com', 'canarytokens.org', 'bxss.me', 'xss.ht', 'dnsbin.zhack.ca', 'log4shell.huntress.com'],
  ],
  'message-webhook':
    'hooks.slack.com discord.com discordapp.com webhook.office.com api.telegram.org ntfy.sh maker.ifttt.com hooks.zapier.com'.split(' '),
  tunnel: [
    ...'ngrok.io ngrok.app ngrok.dev ngrok-free.app ngrok-free.dev trycloudflare.com loca.lt localtunnel.me localhost.run'.split(' '),
    ...'lhr.life serveo.net pagekite.me bore.pub telebit.io devtunnels.ms tunnelmole.net pinggy.io zrok.io packetriot.net'.split(' '),
    ...['tailscale.net', 'playit.gg', 'onion.to', 'onion.ly', 'tor2web.org', 'portmap.io', 'burrow.io', 'localxpose.io', 'loclx.io'],
  ],
  shortener: [
    ...'bit.ly tinyurl.com t.co goo.gl is.gd v.gd ow.ly buff.ly rebrand.ly cutt.ly t.ly shorturl.at rb.gy git.io'.split(' '),
    ...['tiny.cc', 'bl.ink', 's.id', 'dub.sh', 'lnkd.in', 'x.gd', 'u.to', 'short.io', 'qrco.de', 'adf.ly'],
  ],
  'dns-over-https': (
    'dns.google cloudflare-dns.com one.one.one.one dns.quad9.net doh.opendns.com dns.adguard.com dns.nextdns.io ' +
    'mozilla.cloudflare-dns.com'
  ).split(' '),
  'code-host': [
    ...(
      'github.com gitlab.com bitbucket.org codeberg.org sr.ht githubusercontent.com gist.github.com dev.azure.com ' + 'huggingface.co'
    ).split(' '),
  ],
  'package-registry': [
    ...'registry.npmjs.org npmjs.com pypi.org files.pythonhosted.org crates.io static.crates.io rubygems.org proxy.golang.org'.split(' '),
    ...'repo.maven.apache.org repo1.maven.org nuget.org packagist.org registry.yarnpkg.com jsr.io ghcr.io docker.io quay.io'.split(' '),
  ],
}

const BY_DOMAIN: ReadonlyMap<string, HostKind> = new Map(
  Object.entries(TABLE).flatMap(([kind, domains]) => domains.map((domain) => [domain, kind as HostKind] as const)),
)

/** Of the longest name in the table: a host of a thousand labels is looked up as few times as any. */
const MAX_LABELS = Math.max(...[...BY_DOMAIN.keys()].map((domain) => domain.split('.').length))

/** Paths that make a general service a place to send to. */
const MESSAGE_PATHS: Readonly<Record<string, string>> = { 'discord.com': '/api/webhooks/', 'discordapp.com': '/api/webhooks/' }

/**
 * What the host is known for, or null. `path` tells a webhook of a chat service from its pages; without it such a host
 * counts as its pages.
 */
export function hostKind(host: string, path = '/'): HostKind | null {
  const name = host.toLowerCase()
  const labels = name.split('.').slice(-MAX_LABELS)
  for (let at = 0; at < labels.length - 1; at += 1) {
    const domain = labels.slice(at).join('.')
    const kind = BY_DOMAIN.get(domain)
    if (kind === undefined) continue
    const needed = Object.hasOwn(MESSAGE_PATHS, domain) ? MESSAGE_PATHS[domain] : undefined
    if (needed !== undefined && !(path.startsWith(needed) && below(name, domain))) return null
    return kind
  }
  return null
}
