import { cases } from '../table-harness.ts'

cases('names', [
  ['dig h.example', 'fetch net:resolve h.example'],
  ['dig @8.8.8.8 h.example TXT', 'fetch net:resolve 8.8.8.8 | fetch net:resolve h.example'],
  ['dig +short $X.h.example', 'fetch net:resolve $X.h.example'],
  ['nslookup h.example 8.8.8.8', 'fetch net:resolve h.example | fetch net:resolve 8.8.8.8'],
  ['host h.example', 'fetch net:resolve h.example'],
  ['whois h.example', 'fetch net:resolve h.example'],
  ['resolvectl query h.example', 'fetch net:contact h.example'],
  ['resolvectl status', ''],
])

cases('reach', [
  ['ping -c 1 h.example', 'fetch net:probe h.example'],
  ['ping h.example -c1', 'fetch net:probe h.example'],
  ['traceroute h.example', 'fetch net:probe h.example'],
  ['mtr -r h.example', 'fetch net:probe h.example'],
  ['iperf3 -c h.example', 'fetch net:contact h.example'],
  ['speedtest', ''],
  ['snmpwalk -v2c -c public h.example sysDescr', 'fetch net:probe h.example'],
  ['snmpget -v 3 -u reader -l authPriv -a SHA -A x -x AES -X y h.example sysUpTime.0', 'fetch net:probe h.example'],
  ['snmpbulkwalk -c public -Cr50 -Oqv udp:10.0.0.9:161', 'fetch net:probe udp:10.0.0.9:161'],
])

cases('scans', [
  ['nmap h.example', 'fetch net:scan h.example'],
  ['nmap -sV -p 1-100 10.0.0.0/24', 'fetch net:scan 10.0.0.0/24'],
  ['nmap -oN out.txt h.example', 'write out.txt | fetch net:scan h.example'],
  ['nmap --script evil.nse h.example', 'fetch net:scan h.example'],
  ['nmap -iL list.txt', 'read list.txt | fetch net:scan unknown'],
  ['masscan 10.0.0.0/8 -p80', 'fetch net:scan 10.0.0.0/8'],
  ['sqlmap -u https://h.example/?id=1', 'send net:attack https://h.example/?id=1 ! | execute net:scan sqlmap +offensive'],
  ['hydra -l me -P list ssh://h.example', 'send net:attack ssh://h.example ! | execute net:scan hydra +offensive'],
  ['nikto -h https://h.example', 'send net:attack https://h.example ! | execute net:scan nikto +offensive'],
  ['john hashes', 'send net:attack hashes ! | execute net:scan john +offensive'],
  ['gobuster dir -u https://h.example -w list', 'send net:attack https://h.example ! | execute net:scan gobuster +offensive'],
  ['msfconsole', 'execute net:attack msfconsole | execute net:scan msfconsole +offensive'],
  ['nuclei -u https://h.example', 'send net:attack https://h.example ! | execute net:scan nuclei +offensive'],
])

cases('capture', [
  ['tcpdump -i eth0 -w out.pcap', 'write out.pcap | read net:capture eth0 interface=eth0'],
  ['tcpdump -r in.pcap', 'read in.pcap'],
  [
    "tcpdump -z 'rm x' -w out.pcap",
    'write out.pcap | likely execute program:unknown rm x | read net:capture any interface interface=any interface',
  ],
  ['tshark -i any', 'read net:capture any interface=any'],
  ['wireshark', 'read net:capture any interface interface=any interface'],
])

cases('looking', [
  ['ss -tlnp', ''],
  ['netstat -an', ''],
  ['lsof -i :3000', ''],
  ['arp -a', ''],
  ['arp -d 10.0.0.1', 'change firewall:change arp table'],
  ['arp -s 10.0.0.1 aa:bb', 'change firewall:change arp table'],
  ['shodan search x', 'fetch net:scan shodan'],
])
