# This file is generated from the contract.
