import { describe, expect, test } from 'vitest'
import { lines } from '../walk-harness.ts'

const changes = (command: string): boolean => lines(command).some((line) => / (?:firewall|security):/.test(line))

describe('network settings: what shows, and what changes them', () => {
  const cases: readonly (readonly [string, boolean])[] = [
    ['hostname', false],
    ['hostname -f', false],
    ['hostname -I', false],
    ['hostname --all-ip-addresses', false],
    ['hostname -a -l example.com', false],
    ['hostname newname', true],
    ['hostname -b newname', true],
    ['hostname -F /etc/hostname', true],
    ['hostname --help', false],
    ['ifconfig', false],
    ['ifconfig eth0', false],
    ['ifconfig -a', false],
    ['ifconfig eth0 down', true],
    ['ifconfig eth0 up 192.0.2.7', true],
    ['route', false],
    ['route -n', false],
    ['route add default gw 192.0.2.1', true],
    ['ip addr', false],
    ['ip -4 addr show dev eth0', false],
    ['ip link set eth0 down', true],
    ['ip route add default via 192.0.2.1', true],
    ['iptables -L', false],
    ['iptables -L -n -v', false],
    ['iptables -A INPUT -j DROP', true],
    ['iptables -F', true],
    ['ufw status', false],
    ['ufw allow 22', true],
    ['ufw disable', true],
    ['ufw --dry-run allow 22', false],
    ['nmcli device', false],
    ['nmcli device disconnect eth0', true],
    ['ethtool eth0', false],
    ['ethtool -s eth0 wol g', true],
    ['tailscale status', false],
    ['tailscale up', true],
  ]
  for (const [command, expected] of cases) test(command, () => expect(changes(command)).toBe(expected))
})
