/** The languages that samples are written in, in the order of their tabs. */
export const LANGUAGES = ['curl', 'typescript', 'php', 'python', 'go'] as const;

/** A language of samples. */
export type Language = (typeof LANGUAGES)[number];

/** The names of languages as people write them. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  curl: 'curl',
  typescript: 'TypeScript',
  php: 'PHP',
  python: 'Python',
  go: 'Go',
};

/** One thing to do, in each language that has a sample of it. */
export interface Sample {
  readonly title: string;
  readonly code: Readonly<Partial<Record<Language, string>>>;
}

/** The address of the installation in samples; pages show their own in its place. */
export const SAMPLE_URL = 'https://switchyard.example';

/** The address of the sandbox in samples, likewise. */
export const SANDBOX_SAMPLE_URL = 'https://sandbox.example';
