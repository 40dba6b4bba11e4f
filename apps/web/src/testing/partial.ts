/** An object of which a test gives only the fields that are shown; reading another one is `undefined`. */
export function partial<T extends object>(fields: object): T {
  return Object.assign(Object.create(Object.prototype), fields);
}
