/** `countersign receipts`. */
import type { Command } from 'commander'

const example = (text: string) => `\nExample:\n  ${text}\n`

export function addReceipts(program: Command, done: (code: number) => void): void {
  const receipts = program
    .command('receipts')
    .description('signed receipts of decisions, checked without the log')
    .addHelpText('after', example('countersign receipts key > countersign.pem'))
  receipts
    .command('verify [receipts...]')
    .description('checks receipts, given as text, as files, or on standard input; exit 1 where one does not hold')
    .option('--key <file...>', 'public keys (default: those of this machine)')
    .option('--decision <file>', 'JSON of the decision that the receipt should be of')
    .option('--json', 'as JSON lines')
    .addHelpText('after', example('countersign receipts verify receipt.txt --key countersign.pem'))
    .action(async (given, options) => done(await (await import('./receipts.ts')).verifyReceipts(given, options)))
  receipts
    .command('key')
    .description('prints the public key of this machine; with --rotate after making a new one')
    .option('--rotate', 'sign with a new key from now on; what the old one signed can still be checked here')
    .addHelpText('after', example('countersign receipts key > countersign.pem'))
    .action(async (options) => done(await (await import('./receipts.ts')).key(options)))
}
