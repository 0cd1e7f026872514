import { cases } from '../table-harness.ts'

cases('editors', [
  ['vim a.txt', 'read a.txt | possible write a.txt'],
  ["vim -c ':!rm x' a.txt", 'delete x ! | read a.txt | possible write a.txt'],
  ["vim -es -c 'wq' a.txt", 'read a.txt | possible write a.txt'],
  ["vi +'!rm x'", 'delete x !'],
  ['vim -S x.vim', 'read x.vim | ? a script of the editor is not analysed'],
  ['vim -R a.txt', 'read a.txt'],
  ['view a.txt', 'read a.txt | possible write a.txt'],
  ['nano a.txt', 'read a.txt | likely write text:edit a.txt'],
  ['nano /etc/hosts', 'read /etc/hosts | likely write text:edit /etc/hosts'],
  ['ed a.txt', 'read a.txt | likely write text:edit a.txt'],
  ['emacs a.txt', 'read a.txt | likely write text:edit a.txt'],
  ['emacs --batch -l x.el', '? a Lisp file runs in the editor | read x.el | likely write text:edit x.el'],
  ['emacs --batch --eval \'(shell-command "rm x")\'', 'delete x !'],
  ["emacsclient -e '(x)'", '? Lisp runs in the editor'],
  ['hx a.txt', 'read a.txt | likely write text:edit a.txt'],
])

cases('graphical editors', [
  ['code .', 'read app:open . +mass'],
  ['code a.ts', 'read app:open a.ts'],
  ['code --install-extension x.y', 'change pkg:install x.y manager=code'],
  ['code --uninstall-extension x.y', 'change pkg:install x.y manager=code'],
  ['code --list-extensions', ''],
  ['code --help', ''],
  ['code -d a b', 'read app:open a | read app:open b'],
  ['code --user-data-dir x', ''],
  ['code tunnel', 'publish net:tunnel editor tunnel !'],
  ['code --version', ''],
  ['idea .', 'read . +mass | likely write text:edit . +mass'],
  ['subl a.txt', 'read a.txt | likely write text:edit a.txt'],
  ['zed .', 'read . +mass | likely write text:edit . +mass'],
])

cases('clipboards and screens', [
  ['pbcopy', 'write clipboard:write clipboard'],
  ['pbpaste', 'read clipboard:read clipboard'],
  ['xclip -o', 'read clipboard:read clipboard'],
  ['xclip -selection clipboard a.txt', 'write clipboard:write clipboard | read a.txt'],
  ['xsel -b', 'read clipboard:read clipboard'],
  ['wl-copy x', 'write clipboard:write clipboard'],
  ['xdotool type hello', 'execute app:input keyboard and mouse'],
  ['scrot x.png', 'write x.png | read capture:screen screen'],
  ['flameshot gui', 'write gui | read capture:screen screen'],
])

cases('media', [
  ['ffmpeg -i a.mp4 b.mp3', 'read a.mp4 | write media:convert b.mp3'],
  ['ffmpeg -y -i https://h.example/a.mp4 b.mp4', 'fetch https://h.example/a.mp4 | write media:convert b.mp4'],
  ['ffmpeg -i a.mp4 rtmp://h.example/x', 'read a.mp4 | send rtmp://h.example/x ! carries=file from=a.mp4'],
  ['ffprobe a.mp4', 'read a.mp4'],
  ['ffplay a.mp4', 'read a.mp4'],
  ['convert a.png b.jpg', 'read a.png | write media:convert b.jpg'],
  ['magick a.png -resize 50% b.png', 'read a.png | write media:convert b.png'],
  ['mogrify -resize 50% a.png', 'read a.png | write media:convert a.png'],
  ['identify a.png', 'read a.png'],
  ['montage a.png b.png out.png', 'read a.png | read b.png | write media:convert out.png'],
  ['gs -sOutputFile=out.pdf in.pdf', 'write out.pdf | read in.pdf'],
  ['sox a.wav b.wav', 'read a.wav | write media:convert b.wav'],
  ['inkscape a.svg -o b.png', 'write b.png | read a.svg'],
  ['optipng a.png', 'read a.png | write media:convert a.png'],
  ['qpdf a.pdf b.pdf', 'read a.pdf | write media:convert b.pdf'],
  ['wkhtmltopdf https://h.example a.pdf', 'fetch https://h.example | write media:convert a.pdf'],
  ['pandoc a.md -o a.pdf', 'write a.pdf | read a.md'],
  ['pandoc --filter ./x a.md', 'likely execute script:unseen x | read a.md'],
  ['pandoc --lua-filter=x.lua a.md', 'likely execute script:unseen x.lua | read a.md'],
  ['exiftool a.jpg', 'read a.jpg'],
  ['exiftool -all= a.jpg', 'read a.jpg | write text:edit a.jpg'],
  ['libreoffice --headless --convert-to pdf a.docx', 'read a.docx'],
  ['dot -Tpng a.dot -o a.png', 'write a.png | read a.dot'],
  ['qrencode -o a.png hello', 'write a.png'],
])

cases('browsers', [
  ['firefox https://h.example', 'fetch https://h.example'],
  ['google-chrome --headless --screenshot=a.png https://h.example', 'fetch https://h.example | write media:convert a.png'],
  ['chromium --remote-debugging-port=9222', ''],
  ['chrome --load-extension=x', 'execute dev:load x'],
])
