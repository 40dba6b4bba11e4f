/** A number of a numeric column, as `trim_scale` gives it: without zeros at its end. */
export function canonical<Text extends string | null>(text: Text): Text;
export function canonical(text: string | null): string | null {
  if (text === null || !text.includes('.')) return text;
  return text.replace(/\.?0+$/, '');
}

/** Numbers in columns of money, as the client of the database gives them. */
export class Numeric {
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toFixed(): string {
    return this.text;
  }

  toString(): string {
    return this.text;
  }

  toJSON(): string {
    return this.text;
  }
}
