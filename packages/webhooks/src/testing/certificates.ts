import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';

/** A certificate of this machine with its key, both in PEM. */
export interface TestCertificate {
  readonly key: string;
  readonly cert: string;
  readonly expiresAt: Date;
}

/** Makes a self-signed certificate for 127.0.0.1 that expires after some days, and lets this thread trust it. Needs `openssl`. */
export async function makeCertificate(days: number): Promise<TestCertificate> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-certificate-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    await promisify(execFile)('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', String(days)],
      ...['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', keyFile, '-out', certFile],
    ]);
    const [key, cert] = await Promise.all([readFile(keyFile, 'utf8'), readFile(certFile, 'utf8')]);
    setDefaultCACertificates([...getCACertificates('default'), cert]);
    return { key, cert, expiresAt: new X509Certificate(cert).validToDate };
  } finally {
    await rm(folder, { recursive: true });
  }
}
