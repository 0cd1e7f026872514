import { cases } from '../table-harness.ts'

cases('mail', [
  ['mail -s hi me@h.example', 'send mail:send me@h.example !'],
  ['mail', 'read mail:read mailbox'],
  ['mutt -s x -a a.txt -- me@h.example', 'read a.txt | send mail:send me@h.example ! attachments=1 carries=file from=a.txt'],
  ['mailx -a a.txt -s x me@h.example', 'read a.txt | send mail:send me@h.example ! attachments=1 carries=file from=a.txt'],
  ['sendmail me@h.example', 'send mail:send me@h.example !'],
  ['sendmail -t', 'send mail:send the recipients in the message !'],
  ['msmtp me@h.example', 'send mail:send me@h.example !'],
  ['swaks --to me@h.example --server h.example', 'send mail:send h.example ! | send mail:send me@h.example !'],
  [
    'swaks --to me@h.example --attach @a.txt',
    'read a.txt | read @a.txt | send mail:send me@h.example ! attachments=1 carries=file from=a.txt',
  ],
  ['fetchmail', 'fetch mail:read fetchmail'],
  ['mbsync -a', 'fetch mail:read mbsync'],
])

cases('messages', [
  ['wall hello', 'change message:local screens of this machine'],
  ['write me', 'change message:local screens of this machine'],
  ['mesg n', 'change message:local screens of this machine'],
  ['slackcat -c general a.txt', 'read a.txt | send message:send general !'],
  ['telegram-send hello', 'send message:send hello !'],
  ['telegram-send --file a.txt', 'read a.txt | send message:send default channel !'],
  ['signal-cli send -m x +123', 'send message:send +123 !'],
  ['ntfy publish topic hi', 'send message:send topic !'],
  ['twilio api:core:messages:create --to +1 --body x', 'send message:send +1 !'],
  ['twilio phone-numbers:list', 'fetch message:read phone-numbers:list'],
  ['ntfy subscribe topic', 'fetch message:read subscribe'],
])

cases('notices', [
  ['notify-send hello', 'change message:local screens of this machine'],
  ['terminal-notifier -message x', 'change message:local screens of this machine'],
  ["terminal-notifier -execute 'rm x'", 'change message:local screens of this machine | delete x !'],
  ['zenity --password', 'change message:local screens of this machine | read secret:read user input'],
  ['zenity --info --text x', 'change message:local screens of this machine'],
  ['kdialog --password x', 'change message:local screens of this machine | read secret:read user input'],
  ['kdialog --msgbox x', 'change message:local screens of this machine'],
  ['dunstify x', 'change message:local screens of this machine'],
  ["slack chat send hi '#general'", 'send message:send hi !'],
])
