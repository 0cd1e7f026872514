/** `countersign judge`: what it is called on the command line. */
import type { Command } from 'commander'

export function addJudge(program: Command, done: (status: number) => void): void {
  const example = (text: string): string => `\nExample:\n  ${text}\n`
  const judge = program.command('judge').description('tries judges').addHelpText('after', example('countersign judge test labelled.jsonl'))
  judge
    .command('test <file>')
    .description(
      'a judge on labelled calls: recall at fixed false-positive rates, what could still be done, latency; every call is really asked',
    )
    .option('--policy <file>', 'the policy to use')
    .option('--judge <name>', 'which judge of the policy; default its only one')
    .option('--limit <count>', 'how many calls at most')
    .option('--price <input,output>', 'price of a million tokens read and written, for the cost')
    .option('--json', 'as JSON, with every call: `judge calibrate` reads it')
    .addHelpText('after', example('countersign judge test labelled.jsonl --policy countersign.yaml --limit 100'))
    .action(async (file, options) => done(await (await import('./commands/judge.ts')).testJudge(file, options)))
  judge
    .command('calibrate [file]')
    .description("makes probabilities of a judge's scores and proposes thresholds; of labelled calls, or of what `judge test --json` wrote")
    .option('--policy <file>', 'the policy to use')
    .option('--judge <name>', 'which judge of the policy; default its only one')
    .option('--limit <count>', 'how many calls at most')
    .option('--fpr <share>', 'share of benign calls that may be stopped', '0.01')
    .option('--from-audit', 'labels are what people answered, in the log')
    .option('--out <file>', 'the evidence, for `calibration` and `evidence` of a judge in the policy')
    .option('--svg <file>', 'a reliability diagram')
    .option('--json', 'the evidence as JSON')
    .addHelpText('after', example('countersign judge calibrate answers.json --fpr 0.01 --out judge.json --svg judge.svg'))
    .action(async (file, options) => done(await (await import('./commands/judge-calibrate.ts')).calibrateJudge(file, options)))
}
