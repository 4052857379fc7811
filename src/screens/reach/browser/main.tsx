import { mountScreen } from '../../widgets/use-screen.js';
import { App } from './app.js';
import './reach.css';

mountScreen('reach', App);
