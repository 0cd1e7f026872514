import { cases } from '../table-harness.ts'

cases('opening', [
  ['open https://h.example', 'fetch app:open https://h.example'],
  ['open a.pdf', 'read app:open a.pdf'],
  ['open -a Safari https://h.example', 'execute app:open Safari | fetch app:open https://h.example'],
  ['open -e a.txt', 'read app:open a.txt'],
  ['open -R a', 'read app:open a'],
  ['xdg-open https://h.example', 'fetch app:open https://h.example'],
  ['xdg-open a.pdf', 'read app:open a.pdf'],
  ['wslview a', 'read app:open a'],
])

cases('scripts', [
  ['osascript -e \'do shell script "rm x"\'', 'delete x !'],
  ['osascript -e \'tell application "Finder" to quit\'', 'likely execute app:script AppleScript'],
  ['osascript x.scpt', 'read x.scpt | ? an AppleScript file runs'],
  ['osascript -e \'display dialog "x" default answer ""\'', 'likely read secret:read user input'],
  ['automator x.workflow', 'execute app:script automator'],
  ['shortcuts run X', 'execute app:script shortcuts'],
  ['shortcuts list', 'execute app:script shortcuts'],
])

cases('capture', [
  ['screencapture x.png', 'read capture:screen screen or camera | write capture:screen x.png'],
  ['screencapture -c', 'read capture:screen screen or camera'],
  ['imagesnap x.jpg', 'read capture:screen screen or camera | write capture:screen x.jpg'],
  ['say hello', ''],
  ['say -o x.aiff hello', 'write x.aiff'],
  ['afplay a.mp3', ''],
])

cases('images', [
  ['sips -z 10 10 a.png', 'read a.png | write media:convert a.png'],
  ['sips -g all a.png', 'read a.png'],
  ['sips -s format jpeg a.png --out b.jpg', 'write b.jpg | read a.png'],
  ['textutil -convert txt a.doc', 'read a.doc | write media:convert . +mass'],
  ['textutil -convert txt -output b.txt a.doc', 'write b.txt | read a.doc'],
  ['textutil -stdout -convert txt a.doc', 'read a.doc'],
  ['textutil -info a.doc', 'read a.doc'],
  ['qlmanage -p a', 'read a'],
  ['lipo -info a', 'read a'],
  ['lipo -create a b -output c', 'write c | read a | read b'],
  ['install_name_tool -id x a', 'write a'],
])
