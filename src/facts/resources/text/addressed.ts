/** Text that is made out as an order to a model: the marks of chat templates, and comments that speak to agents. */

/** Begins of what is looked for, so that most texts are passed over at once. */
const MAYBE = /<\||\[\/?INST|<<SYS|<start_of_turn|<!--|ignore|disregard|forget|SYSTEM|ASSISTANT|AGENT|\suser/i

/** A turn in somebody's name, as chat templates write it. */
const TURN = new RegExp(
  String.raw`<\|im_start\|>\s{0,4}(?:system|user|assistant|tool)|<\|start_header_id\|>\s{0,4}(?:system|user|assistant)` +
    String.raw`|<\|(?:system|eot_id)\|>|\[/INST\]|<<SYS>>|<start_of_turn>\s{0,4}(?:user|model)`,
  'i',
)
/** A comment that nobody sees where the text is shown, addressed to a model. */
const COMMENT =
  /<!--\s{0,8}(?:system|assistant|agents?|ai|llm|claude|gpt|model|copilot|cursor|codex|gemini)\b[^\n]{0,8}(?:[:,!]|-(?![->]))/i
const ORDER = new RegExp(
  String.raw`\b(?:ignore|disregard|forget)\s{1,4}(?:all\s{1,4})?(?:of\s{1,4})?(?:the\s{1,4}|your\s{1,4}|any\s{1,4})?(?:previous` +
    String.raw`|prior|above|earlier|preceding|former)\s{1,4}(?:instructions?|prompts?|rules|messages|directions|context)`,
  'i',
)

/** Somebody's name in front, as in a transcript, and what no record says but an order: `SYSTEM: you must …`. */
const LABEL = /\b(?:SYSTEM|ASSISTANT|AGENTS?)(?: (?:PROMPT|MESSAGE|OVERRIDE|NOTE|INSTRUCTIONS?))?\s{0,2}:\s{0,4}(.{0,40})/g
const TOLD = new RegExp(
  String.raw`^(?:you (?:are|must|will|should|may)|ignore|disregard|forget|override` +
    String.raw`|before (?:using|calling|you|responding|answering)|do not|don't|never|copy|send|forward|reveal|exfil|read|include` +
    String.raw`|repeat|approve|execute|from now on)\b`,
  'i',
)
/** What is kept from people is meant for models. */
const HIDES = new RegExp(
  String.raw`\b(?:do not|don't|never|without)\s{1,4}(?:tell|mention|inform|notify|alert|reveal)(?:ing)?\s{1,4}` +
    String.raw`(?:(?:this|it|that)\s{1,4}to\s{1,4})?(?:the|your)\s{1,4}user\b`,
  'i',
)

const labelled = (text: string) => [...text.matchAll(LABEL)].some(([, said]) => TOLD.test(said ?? ''))

/** True where the text holds such an order. Linear. */
export function addressesModels(text: string): boolean {
  return MAYBE.test(text) && (TURN.test(text) || COMMENT.test(text) || ORDER.test(text) || HIDES.test(text) || labelled(text))
}
