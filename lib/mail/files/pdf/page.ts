/** Types of the PDF library that it does not export by name. */
import type { getDocumentProxy, getResolvedPDFJS } from 'unpdf';

export type Document = Awaited<ReturnType<typeof getDocumentProxy>>;
export type Page = Awaited<ReturnType<Document['getPage']>>;
/** The numbers of the drawing operators, by name. */
export type Operators = Awaited<ReturnType<typeof getResolvedPDFJS>>['OPS'];
/** `[a, b, c, d, x, y]`, as in the PDF standard. */
export type Matrix = readonly [number, number, number, number, number, number];
