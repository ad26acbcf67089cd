/** The client library that samples in TypeScript import. */
export const clientPackage = { name: 'parley-client', className: 'Parley' } as const;
