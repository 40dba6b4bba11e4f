import { mount } from '#/mount.ts';
import { serveScim } from '#/server/native/rest.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = mount(serveScim);
