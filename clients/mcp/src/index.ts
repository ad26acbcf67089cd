/** The public surface: the server over stdio and over HTTP. */
export { createHttpServer, type HttpServerOptions } from './http.ts';
export { runStdio } from './stdio.ts';
