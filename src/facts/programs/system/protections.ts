/** Services and processes that protect or watch a machine: stopping one is switching a protection off. */
const NAMES = [
  ...['auditd', 'rsyslog', 'rsyslogd', 'syslog', 'syslogd', 'syslog-ng', 'systemd-journald', 'journald', 'klogd'],
  ...['firewalld', 'ufw', 'iptables', 'ip6tables', 'nftables', 'pf', 'ebtables', 'shorewall'],
  ...['apparmor', 'selinux', 'fail2ban', 'fail2ban-server', 'sshguard', 'denyhosts', 'crowdsec'],
  ...['clamav', 'clamd', 'clamav-daemon', 'clamav-freshclam', 'freshclam', 'rkhunter', 'chkrootkit', 'aide', 'tripwire', 'samhain'],
  ...['falcon-sensor', 'falcond', 'falco', 'osqueryd', 'wazuh-agent', 'ossec', 'ossec-agentd', 'sysmon', 'suricata', 'snort', 'zeek'],
  ...'mdatp mdatpd sentinelone sentinelctl sentinelagent cbagentd cbdaemon cbdefense xagt ds_agent taniumclient'.split(' '),
  ...'sophos savd esets eset bdagent mcafee symantec cylancesvc traps_pmd elastic-agent auditbeat td-agent'.split(' '),
  ...['windefend', 'sense', 'wdnissvc', 'eventlog', 'mpssvc', 'xprotectservice', 'com.apple.alf', 'com.apple.auditd', 'auditctl'],
  ...['little snitch', 'lulu', 'santa', 'santad', 'com.northpolesec.santa.daemon'],
]

export const PROTECTIONS: ReadonlySet<string> = new Set(NAMES.flatMap((name) => [name, `${name}.service`, `${name}.socket`]))
