/** The path room: path words to targets, and the comparisons of places that other rooms need. */

export { classify, scopeOf, workspaceRoots } from './classify.ts'
export { isShare } from './expand.ts'
export { lexical, namesOf, toPath, within } from './segments.ts'
export { pathTarget } from './target.ts'
