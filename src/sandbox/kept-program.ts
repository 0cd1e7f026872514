/**
 * The program that keeps the stage of trials: one Perl, started once, that forks for each trial instead of a shell and ten programs
 * being started for it. It stays outside of every namespace; what it forks makes them, mounts the layers, starts bubblewrap, and watches
 * which programs are started (ptrace). It also reads extended attributes, from outside. Fixed text: paths and words of commands come as data.
 */
import { ATTRIBUTE_NUMBERS, PERL_ATTRIBUTES, perlHere } from './attributes.ts'
import { NOT_JOINED } from './cgroup.ts'
import { BLOCK, COPY, FILTER, INFO, LAYERS, MAX_COPIED, MOST_OWN, OWN } from './stage.ts'

/** Calls of the kernel by processor type. */
const NUMBERS: Readonly<Record<string, readonly number[]>> = {
  // unshare, mount, ptrace, wait4, prctl
  x64: [272, 165, 101, 61, 157],
  arm64: [97, 40, 117, 260, 167],
}

/** Programs of a trial that are listed at most, each with how often it was started; as many again for paths that are not among them yet. */
const MAX_LISTED = 100
/** Bytes of the words of a program that are kept. */
const MAX_WORDS = 200

/** For the shell that copies a layer. */
const COPYING = `left=$1; said=$2; copied=
say() { printf '%s\\n' "$*"; }
${COPY}
copy "$3" && say "left $left"`
/** As a string of Perl. */
const quoted = (text: string): string => JSON.stringify(text).replaceAll(/[$@]/g, '\\$&')

/**
 * Both directions speak in frames: a letter, the length, the content. `S` starts a trial, `G` lets its command go, `A` asks for
 * attributes, `E` ends the trial. What the stage said is passed on when all of the command's output was.
 */
const PERL = String.raw`
use strict; use POSIX ();
my ($UNSHARE,$MOUNT,$PTRACE,$WAIT4,$PRCTL,$LIST,$GET)=map {$_+0} @ARGV; @ARGV=();
my ($uid,$gid)=($<+0,$(+0); my $NULL=0;
$SIG{PIPE}='IGNORE';
# Descriptors below 16 are kept free for the program: nothing that is opened later stands in the way of one.
my @kept; while (1) { open(my $f,'<','/dev/null') or exit 1; push @kept,$f; last if fileno($f)>=15 }
sub take { my $n=shift; my $b='';
  while (length($b)<$n) { my $r=sysread(STDIN,$b,$n-length($b),length($b)); next if !defined($r) && $!==4; exit 0 unless $r }
  return $b }
sub tell_ { my ($t,$d)=@_; my $b=$t.pack('N',length($d)).$d; my $o=0;
  while ($o<length($b)) { my $w=syswrite(STDOUT,$b,length($b)-$o,$o); next if !defined($w) && $!==4; exit 0 unless defined $w; $o+=$w } }
${PERL_ATTRIBUTES}

# Of a trial. Everything below runs in what was forked for it, and ends there.
my $said;
sub say_ { my $b=shift; my $o=0; while ($o<length($b)) { my $w=syswrite($said,$b,length($b)-$o,$o); last unless defined $w; $o+=$w } }
my (%pipes,$first,$bound);
# INVARIANT: here nothing that was forked holds the ends of the command's output any more.
sub stay { kill 'KILL',$first if $first; %pipes=(); close $said; sleep 3600 while 1 }
sub fail { say_("$_[0]\n"); stay() }
sub mount_ { my ($from,$to,$type,$flags,$data)=@_; return syscall($MOUNT,$from,$to,$type,$flags,$data)==0 }
sub put { my ($path,$text)=@_; open(my $f,'>',$path) or return 0; my $w=syswrite($f,$text); return close($f) && defined $w }
sub layers { my ($space,$needed,@places)=@_; my ($left,$copied,$i)=(${MAX_COPIED},0,0); $bound=0;
  mount_('none','/run','tmpfs',0,"size=$space,mode=700") or return 'problem no private memory can be mounted';
  mkdir '${OWN}'; mount_('none','${OWN}','tmpfs',0,"size=$space,mode=700") or return 'problem no private memory can be mounted';
  mkdir("${OWN}/$_",0755) or return 'problem no layers can be made' for 0..${MOST_OWN - 1};
  mkdir '${LAYERS}';
  for my $place (@places) { my $at='${LAYERS}/'.$i++;
    mkdir $_ or return 'problem no layers can be made' for $at,map {"$at/$_"} qw(lower upper work merged);
    mount_($place,"$at/lower",$NULL,4096,$NULL) || mount_($place,"$at/lower",$NULL,20480,$NULL)
      or return "problem $place cannot be a lower layer: $!";
    my @lower=stat "$at/lower"; chmod $lower[2]&07777,"$at/upper";
    next if mount_('overlay',"$at/merged",'overlay',0,"lowerdir=$at/lower,upperdir=$at/upper,workdir=$at/work,userxattr");
    my $why="overlay on $at/merged: $!";
    if ($i>$needed) { $bound=1;
      mount_("$at/lower","$at/merged",$NULL,4096,$NULL) || mount_("$at/lower","$at/merged",$NULL,20480,$NULL) or return "problem $why"; next }
    open(my $c,'-|','/bin/sh','-c',${quoted(COPYING)},'sh',$left,$why,$at) or return "problem $why";
    my $answer=<$c> // ''; close $c; chomp $answer;
    return $answer eq '' ? "problem $why" : $answer unless $answer=~/^left (\d+)$/;
    ($left,$copied)=($1,1) }
  say_('copied '.(${MAX_COPIED}-$left)."\n") if $copied;
  return '' }

# What is started, from where the command itself is: path and words, as they are when the kernel begins with it.
my ($begun,$command,$starts,%times,%paths,@order)=(0,'',0);
sub started { my $pid=shift; my $exe=readlink("/proc/$pid/exe") // ''; my $words='';
  if (open(my $f,'<',"/proc/$pid/cmdline")) { my $most=$begun ? ${MAX_WORDS} : length($command)+1; my $o=0;
    while ($o<$most) { my $r=sysread($f,$words,$most-$o,$o); last unless $r; $o+=$r } }
  unless ($begun) { $begun=1 if $words eq $command; return }
  $starts++; my $key="$exe\0$words";
  return $times{$key}++ if exists $times{$key};
  my $n=scalar @order; return if $n>=${2 * MAX_LISTED} || ($n>=${MAX_LISTED} && $paths{$exe});
  $times{$key}=1; $paths{$exe}=1; push @order,$key }
sub resume { my ($pid,$request,$signal)=@_; syscall($PTRACE,$request,$pid,$NULL,$signal) }
sub watch { my $first=shift;
  while (1) { my $status=pack('i',0); my $pid=syscall($WAIT4,-1,$status,0x40000000,$NULL);
    if ($pid<0) { next if $!==4; last }
    my $s=unpack('i',$status);
    if (($s & 0x7f)==0x7f) { my ($signal,$event)=(($s>>8)&0xff,$s>>16);
      started($pid) if $event==4;
      # A program that is stopped by a signal stays stopped, and is still watched.
      if ($event==128 && $signal>=19 && $signal<=22) { resume($pid,0x4208,0) } else { resume($pid,7,$event ? 0 : $signal) } }
    elsif ($pid==$first) { return ($s & 0x7f) ? 128+($s & 0x7f) : ($s>>8)&0xff } }
  return 255 }

sub stage { my ($parent,$space,$entry,$open,$closed,$needed,$places,$count,@words)=@_;
  POSIX::setsid(); $said=delete $pipes{said}; my $filter=delete $pipes{filtering};
  open(STDIN,'<','/dev/null'); open(STDOUT,'>','/dev/null'); open(STDERR,'>','/dev/null');
  my @places=splice(@words,0,$places); $command=join("\0",splice(@words,0,$count))."\0";
  syscall($UNSHARE,0x10020000)==0 or fail("fail unshare failed: $!");
  syscall($PRCTL,1,9,0,0,0); POSIX::_exit(0) if getppid()!=$parent;
  put('/proc/self/setgroups','deny'); put('/proc/self/uid_map',"0 $uid 1") && put('/proc/self/gid_map',"0 $gid 1")
    or fail("fail ids cannot be mapped: $!");
  mount_('none','/',$NULL,278528,$NULL) or fail("fail mounts cannot be made private: $!");
  pipe(my $go,my $goes) or fail("fail no pipe: $!");
  # Joins its group while the layers are mounted, as the kernel takes some ten milliseconds for it; it starts nothing before both are done.
  $first=fork; defined $first or fail("fail no process: $!");
  if (!$first) { syscall($PRCTL,1,9,0,0,0); close $goes; my $joined=$entry eq '' || put($entry,'0');
    sysread($go,my $b,1) or POSIX::_exit(1);
    $SIG{PIPE}='DEFAULT';
    POSIX::dup2(fileno($pipes{$_->[0]}),$_->[1]) for ['out',1],['err',2],['info',${INFO}],['filter',${FILTER}],['block',${BLOCK}];
    if (!$joined) { POSIX::write(2,"${NOT_JOINED}\n",${NOT_JOINED.length + 1}); POSIX::_exit(1) }
    { no warnings; exec {$words[0]} @words; }
    my $why="bwrap: cannot be started: $!\n"; POSIX::write(2,$why,length $why); POSIX::_exit(127) }
  close $go; %pipes=();
  my $problem=layers($space,$needed,@places); fail($problem) if $problem ne '';
  # bubblewrap starts nothing without it.
  syswrite($filter,pack('H*',$bound ? $closed : $open)); close $filter; say_("sockets closed\n") if $bound;
  my $traced=syscall($PTRACE,0x4206,$first,$NULL,0x10001e)==0;
  syswrite($goes,'g'); close $goes;
  my $code=watch($first); undef $first;
  say_('programs '.($traced && $begun ? "$starts " : 'none ').join(' ',map { my ($exe,$words)=split /\0/,$_,2; $words=~s/\0$//; $words=~tr/\0/ /;
    $times{$_}.','.unpack('H*',$exe).','.unpack('H*',$words) } @order)."\n");
  say_("done $code\n"); stay() }

my ($pid,%from,%open,$answer);
sub end_ { kill 'KILL',$pid; waitpid($pid,0); undef $pid; %from=(); %open=(); $answer='' }
while (1) {
  my $bits=''; vec($bits,$_,1)=1 for fileno(STDIN),keys %from;
  my $ready=select(my $now=$bits,undef,undef,undef); next if $ready<0;
  for my $fd (keys %from) { next unless vec($now,$fd,1); my ($t,$f)=@{$from{$fd}};
    my $r=sysread($f,my $b,65536); next if !defined($r) && $!==4;
    if ($r) { if ($t eq 's') { $answer.=$b } else { tell_($t,$b) } } else { delete $from{$fd} }
    if (!%from && $answer ne '') { tell_('s',$answer); $answer='' } }
  next unless vec($now,fileno(STDIN),1);
  my ($t,$n)=unpack('aN',take(5)); my $d=take($n);
  if ($t eq 'S' && !defined $pid) {
    my @rest=split /\0/,$d,-1; pop @rest;
    my (%r,%w); for (qw(out err info said filter block)) { pipe($r{$_},$w{$_}) or exit 1 }
    my $own=$$; $pid=fork; exit 1 unless defined $pid;
    if (!$pid) { %pipes=((map {$_=>$w{$_}} qw(out err info said)),filter=>$r{filter},filtering=>$w{filter},block=>$r{block});
      %r=(); %w=(); stage($own,@rest); POSIX::_exit(0) }
    $from{fileno $r{$_->[1]}}=[$_->[0],$r{$_->[1]}] for ['o','out'],['e','err'],['i','info'],['s','said'];
    $open{block}=$w{block}; tell_('p',$pid) }
  elsif ($t eq 'G' && $open{block}) { syswrite($open{block},'g'); delete $open{block} }
  elsif ($t eq 'A') { tell_('a',attributes($d)) }
  elsif ($t eq 'E' && defined $pid) { end_(); tell_('z','') }
  else { exit 1 }
}
`

/** Program and arguments; null where it cannot be run here. */
export function keptProgram(): readonly [string, ...string[]] | null {
  const [perl, numbers, attributes] = [perlHere(), NUMBERS[process.arch], ATTRIBUTE_NUMBERS[process.arch]]
  if (perl === null || numbers === undefined || attributes === undefined) return null
  return [perl, '-e', PERL, '--', ...[...numbers, ...attributes].map(String)]
}
