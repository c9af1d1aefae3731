"""What all pages share: addresses, parameters, templates, forms, errors."""
