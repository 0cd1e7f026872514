import { cases } from '../table-harness.ts'

cases('chmod', [
  ['chmod 644 a', 'change fs:chmod a mode=644'],
  ['chmod +x a.sh', 'change fs:chmod a.sh mode=+x'],
  ['chmod -R 777 .', 'change fs:chmod . +mass mode=777 +recursive'],
  ['chmod -R 777 /', 'change fs:chmod / +mass mode=777 +recursive'],
  ['chmod u+s a', 'change fs:chmod a mode=u+s'],
  ['chmod 4755 a', 'change fs:chmod a mode=4755'],
  ['chmod --reference=b a', 'change fs:chmod a'],
  ['chmod -w a', 'change fs:chmod a mode=-w'],
  ['chmod 600 ~/.ssh/id_rsa', 'change fs:chmod ~/.ssh/id_rsa mode=600'],
  ['chmod --help', ''],
  ['chmod -v -R go-w dir', 'change fs:chmod dir mode=go-w +recursive'],
])

cases('owners', [
  ['chown me a', 'change fs:chown a owner=me'],
  ['chown -R root:root /etc', 'change fs:chown /etc owner=root:root +recursive'],
  ['chown --from=a b c', 'change fs:chown c owner=b'],
  ['chown --reference=x y', 'change fs:chown y'],
  ['chgrp staff a', 'change fs:chown a owner=staff'],
  ['chgrp -R staff dir', 'change fs:chown dir owner=staff +recursive'],
])

cases('attributes', [
  ['chattr +i a', 'change fs:attributes a mode=+i'],
  ['chattr -i /etc/passwd', 'change security:disable /etc/passwd mode=-i'],
  ['chattr -R +a dir', 'change fs:attributes dir mode=+a +recursive'],
  ['chflags uchg a', 'change fs:attributes a'],
  ['xattr -d com.apple.quarantine a', 'change security:disable a'],
  ['xattr -l a', ''],
  ['setfattr -n user.x -v y a', 'change fs:attributes a +extended'],
  ['setfacl -m u:me:rw a', 'change fs:acl a acl=u:me:rw'],
  ['setfacl -R -b dir', 'change fs:acl dir +recursive'],
  ['setfacl --test -m u:me:rw a', ''],
  ['setcap cap_net_raw+ep a', 'change privilege:capability a capabilities=cap_net_raw+ep'],
  ['umask 022', ''],
  ['umask', ''],
])

cases('accounts', [
  ['su', 'change privilege:switch self user=root'],
  ['su - root', 'change privilege:switch root user=root'],
  ["su -c 'rm -rf /x' root", 'change privilege:switch root user=root | delete /x ! +recursive +force'],
  ['su me -c id', 'change privilege:switch me user=me'],
  ['sudo su', 'change privilege:elevate root by=sudo | change privilege:switch self user=root'],
  ['useradd -G sudo me', 'change user:add me groups=sudo | change privilege:grant me groups=sudo'],
  ['useradd -u 0 -o x', 'change user:add x | change privilege:grant x'],
  ['useradd -m me', 'change user:add me'],
  ['usermod -aG docker me', 'change user:change me groups=docker | change privilege:grant me groups=docker'],
  ['usermod -L me', 'change user:change me'],
  ['adduser me', 'change user:add me'],
  ['adduser me sudo', 'change user:add me groups=sudo | change privilege:grant me groups=sudo'],
  ['userdel -r me', 'delete user:remove me !'],
  ['deluser me', 'delete user:remove me !'],
  ['groupadd x', 'change user:change x'],
  ['groupdel x', 'delete user:remove x !'],
  ['gpasswd -a me sudo', 'change user:change me groups=sudo | change privilege:grant me'],
  ['gpasswd -d me sudo', 'change user:change me groups=sudo'],
  ['passwd', 'change user:password self'],
  ['passwd root', 'change user:password root'],
  ['passwd -d root', 'change user:password root'],
  ['passwd -S', ''],
  ['chpasswd', 'change user:password self'],
  ['chsh -s /bin/zsh', 'change user:change self'],
  ['chage -l me', ''],
  ['visudo', 'change privilege:sudoers sudoers'],
  ['visudo -c', ''],
  ['newgrp docker', 'change privilege:switch docker'],
])

cases('looking', [
  ['id', ''],
  ['groups me', ''],
  ['whoami', ''],
  ['who', ''],
  ['last', ''],
  ['getent passwd', ''],
  ['getent shadow', 'read /etc/shadow'],
  ['finger me', ''],
])
