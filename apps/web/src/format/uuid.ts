const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** True if a text has the form of an id: others in an address are left out of a request, which the server would refuse. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
