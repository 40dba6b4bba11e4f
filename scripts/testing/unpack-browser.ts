/** Unpacks the archives beside the package whose entry is the first argument into the folder for temporary files. */
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [entry = ''] = process.argv.slice(2);
const chromium: { inflate(archive: string): Promise<string> } = await import(pathToFileURL(entry).href);
const archives = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'];
await Promise.all(archives.map((name) => chromium.inflate(join(dirname(dirname(entry)), 'bin', name))));
