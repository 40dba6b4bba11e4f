/** The bytes of a file in base64. */
export function readContent(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
  reader.onerror = () => reject(reader.error ?? new Error('the file cannot be read'));
  reader.readAsDataURL(file);
  return promise;
}
