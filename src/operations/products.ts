import Type from 'typebox';
import { PRODUCTS } from '../products/index.js';
import { productSchema } from '../products/schema.js';
import { closedObject } from './fields.js';
import type { Operation } from './operation.js';
import { PRODUCTS_PATH } from './product-request.js';

const request = closedObject({});
const response = Type.Object({
  products: Type.Array(productSchema, { description: 'The products. Lengths are in mm.' }),
});

const LIST = { products: [...PRODUCTS] };
const TEXT = JSON.stringify(LIST);

/** GET /v1/products: the catalogue of products. It names sources, so `GET /` does not have it. */
export const productList: Operation<string, typeof request, typeof response> = {
  name: 'products',
  path: PRODUCTS_PATH,
  title: 'Products',
  description:
    'The catalogue of products: sizes with rules (product_fit), size charts (size_chart) and scenes (reach_share), each number with its source.',
  toolDescription: '',
  toolPrice: '',
  command: { name: 'products', summary: 'list the products' },
  price: 'free',
  request,
  response,
  example: {},
  refusals: {},
  cost: () => 0,
  json: () => TEXT,
  run: () => LIST,
};
