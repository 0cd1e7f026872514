/** Text that is made out as an order to a model: the marks of chat templates, and comments that speak to agents. */

/** Begins of what is looked for, so that most texts are passed over at once. */
const MAYBE = /<\||\[\/?INST|<<SYS|<start_of_turn|<!--|ignore|disregard/i

/** A turn in somebody's name, as chat templates write it. */
const TURN =
  /<\|im_start\|>\s{0,4}(?:system|user|assistant|tool)|<\|start_header_id\|>\s{0,4}(?:system|user|assistant)|<\|(?:system|eot_id)\|>|\[\/INST\]|<<SYS>>|<start_of_turn>\s{0,4}(?:user|model)/i
/** A comment that nobody sees where the text is shown, addressed to a model. */
const COMMENT =
  /<!--\s{0,8}(?:system|assistant|agents?|ai|llm|claude|gpt|model|copilot|cursor|codex|gemini)\b[^\n]{0,8}(?:[:,!]|-(?![->]))/i
const ORDER =
  /\b(?:ignore|disregard|forget)\s{1,4}(?:all\s{1,4})?(?:of\s{1,4})?(?:the\s{1,4}|your\s{1,4}|any\s{1,4})?(?:previous|prior|above|earlier|preceding|former)\s{1,4}(?:instructions?|prompts?|rules|messages|directions|context)/i

/** True where the text holds such an order. Linear. */
export function addressesModels(text: string): boolean {
  return MAYBE.test(text) && (TURN.test(text) || COMMENT.test(text) || ORDER.test(text))
}
