/** The end of a start, with words for the person at the terminal: what is wrong, and what can be done about it. */
export class Stop extends Error {
  /**
   * @param {string} message
   * @param {readonly string[]} [hints]
   */
  constructor(message, hints = []) {
    super(message);
    this.hints = hints;
  }
}
