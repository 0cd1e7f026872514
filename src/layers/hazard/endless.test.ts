import { family } from './verdict-harness.ts'

/** Loops, pipes and copies that do not end by themselves. */

family('requests without end or rest', {
  meets: 'ask endless',
  commands: [
    'while true; do curl -s https://api.example.com/v1; done',
    'while :; do wget -q https://example.com/x; done',
    'until false; do curl -s https://example.com; done',
    'for ((;;)); do curl -s https://example.com; done',
    'while [ 1 ]; do curl -s https://example.com; done',
    'while [[ 1 ]]; do curl -s https://example.com; done',
    'while ((1)); do curl -s https://example.com; done',
    'while true; do curl -s https://example.com > /dev/null; echo again; done',
    'while true; do claude -p "go on"; done',
    'while true; do if curl -s https://example.com; then echo ok; fi; done',
    'bash -c "while true; do curl -s https://example.com; done"',
    'yes | xargs -n1 curl https://example.com',
    'yes | parallel -n0 curl https://example.com',
    'dd if=/dev/zero of=big',
    'dd if=/dev/urandom of=/tmp/big bs=1M',
  ],
  run: [
    'while true; do curl -s https://example.com; sleep 5; done',
    'while true; do curl -sf https://example.com && break; done',
    'while true; do if curl -sf https://example.com; then break; fi; done',
    'until curl -sf http://localhost:3000; do sleep 1; done',
    'while ! curl -sf https://example.com; do sleep 1; done',
    'while true; do curl -s http://localhost:3000/health; done',
    'while true; do make; done',
    'while read -r u; do curl -s https://example.com; done < list.txt',
    'yes | npm init',
    'while [ "$n" ]; do curl -s https://example.com; n=; done',
    'for ((i=0;i<3;i++)); do curl -s https://example.com; done',
    'for i in 1 2 3; do curl -s https://example.com; done',
    'while true; do timeout 5 curl -s https://example.com; exit; done',
    'yes | head -5',
    'yes | xargs -n1 echo',
    "echo 'while true; do curl https://example.com; done'",
    'dd if=/dev/zero of=big bs=1M count=10',
    'dd if=disk.img of=copy.img',
    'dd if=/dev/zero of=/dev/null',
  ],
})

family('programs started in the background without end', {
  meets: 'deny exhaustion',
  commands: [
    'while true; do sleep 100 & done',
    'while :; do bash job.sh & done',
    'while ((1)); do ./job & done',
    'while true; do curl -s https://example.com & sleep 100 & done',
    'for ((;;)); do ./job & echo started; done',
    'until false; do ./a & ./b & done',
  ],
  run: [
    'while true; do ./job & wait; done',
    'while true; do ./job & sleep 10; done',
    'while true; do ./serve; ./log & done',
    'while true; do ./job; done',
    'for i in 1 2 3; do ./job & done; wait',
    'while read -r l; do ./job "$l" & done < list.txt',
  ],
})
