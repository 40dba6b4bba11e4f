/** A UUID of any version, as we make them ourselves: nothing that could be a name, an e-mail address or a telephone number. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The caller's `X-Request-Id` where it is a UUID, otherwise a new one. It is logged and returned. */
export function requestIdOf(given: string | string[] | undefined, newId: () => string): string {
  return typeof given === 'string' && UUID.test(given) ? given.toLowerCase() : newId();
}
