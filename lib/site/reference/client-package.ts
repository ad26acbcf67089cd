/** The client library that samples in TypeScript import. */
export const clientPackage = { name: 'parley', className: 'Parley' } as const;
