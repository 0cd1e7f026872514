/** The path room: path words to targets, and the comparisons of places that other rooms need. */

export { workspaceRoots } from './classify.ts'
export { isShare } from './expand.ts'
export { matchGlob } from './glob.ts'
export { lexical, namesOf, toPath, within } from './segments.ts'
export { keepsSecrets, suspects } from './suspects.ts'
export { pathTarget } from './target.ts'
