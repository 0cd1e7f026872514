/** A lookup that was made and found nothing: unlike one that failed, this is known. */
export class NothingFound extends Error {}
